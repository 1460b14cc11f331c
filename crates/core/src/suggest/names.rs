//! Words of column names in English, German, Spanish and French.
//!
//! A name is cut into words at everything that is no letter and where a small letter meets a capital; letters are
//! compared without case and accents. An entry of a list is one word or several in a row ("date of birth").

use lookalike_model::{
    info::{Confidence, Suggestion},
    settings::Role,
};

use super::{
    message::{NameMeaning, SuggestedBy},
    survey::stands_for,
};

/// What a list stands for.
struct Topic {
    role: Role,
    confidence: Confidence,
    meaning: NameMeaning,
    /// Entries in the four languages, folded.
    words: &'static str,
}

/// What several people may have in common.
const SHARED: [NameMeaning; 2] = [NameMeaning::Person, NameMeaning::Address];

/// What a name was found to mean.
pub(crate) struct Found {
    pub(crate) role: Role,
    confidence: Confidence,
    meaning: NameMeaning,
    /// Why.
    pub(crate) reason: SuggestedBy,
}

impl Found {
    pub(crate) fn into_suggestion(self) -> Suggestion {
        Suggestion { role: self.role, confidence: self.confidence, reason: self.reason.into() }
    }
}

/// The longest entry wins, then the earlier topic: "marital status" before "status", "birth place" before "place".
const TOPICS: &[Topic] = &[
    Topic {
        role: Role::Identifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Person,
        words: "surname|first name|firstname|last name|lastname|full name|fullname|given name|family name|maiden name|\
                middle name|forename|patient name|customer name|employee name|person name|nickname|username|user name|name|\
                nachname|vorname|familienname|geburtsname|vollname|rufname|benutzername|\
                nombre|apellido|apellidos|nombres|nombre completo|nombre y apellidos|primer apellido|segundo apellido|\
                nom|prenom|nom de famille|nom de naissance|nom complet|prenoms",
    },
    Topic {
        role: Role::Identifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Address,
        words: "address|street|street name|house number|home address|email|e mail|mail|phone|telephone|mobile|cell phone|fax|\
                phone number|ip|ip address|mac address|url|homepage|\
                adresse|anschrift|strasse|hausnummer|telefon|telefonnummer|handy|handynummer|mobilnummer|e mail adresse|\
                direccion|domicilio|calle|correo|correo electronico|telefono|movil|celular|\
                rue|courriel|telephone portable|portable|numero de telephone|adresse postale|adresse electronique|domicile",
    },
    Topic {
        role: Role::Identifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Number,
        words: "ssn|social security number|social security no|national id|national insurance number|nino|passport|\
                passport number|driver license|driving licence|license plate|licence plate|iban|bic|account number|card number|\
                credit card|medical record number|mrn|insurance number|policy number|tax id|tax number|vat number|vin|\
                sozialversicherungsnummer|versichertennummer|versicherungsnummer|krankenversichertennummer|steuer id|steuerid|\
                steueridentifikationsnummer|steuernummer|personalausweis|ausweisnummer|reisepass|passnummer|kontonummer|\
                kennzeichen|fuehrerschein|\
                dni|nie|nif|pasaporte|numero de seguridad social|numero de la seguridad social|cuenta bancaria|matricula|curp|\
                rfc|numero de cuenta|tarjeta sanitaria|\
                nir|numero de securite sociale|securite sociale|numero secu|passeport|numero de compte|plaque d immatriculation|\
                carte vitale|carte d identite",
    },
    Topic {
        role: Role::Identifier,
        confidence: Confidence::Medium,
        meaning: NameMeaning::Key,
        words: "id|uid|uuid|guid|key|record id|row id|patient id|person id|customer id|employee id|user id|client id|member id|\
                student id|patient|case id|case number|file number|patient number|customer number|employee number|personnel number|\
                pseudonym|\
                kennung|nummer|kundennummer|personalnummer|patientennummer|patienten id|fallnummer|aktenzeichen|\
                matrikelnummer|mitgliedsnummer|laufende nummer|lfd nr|\
                identificador|codigo de paciente|numero de paciente|numero de cliente|numero de expediente|expediente|\
                numero de historia clinica|historia clinica|\
                identifiant|numero de patient|numero de client|numero de dossier|numero d ordre|cle",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Age,
        words: "age|birth date|birthdate|date of birth|dob|birthday|year of birth|birth year|yob|born|age group|age band|\
                alter|geburtsdatum|geburtstag|geburtsjahr|altersgruppe|geb|geboren|\
                edad|fecha de nacimiento|fecha nacimiento|ano de nacimiento|nacimiento|grupo de edad|\
                date de naissance|annee de naissance|naissance|tranche d age|groupe d age",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Place,
        words: "zip|zip code|zipcode|postcode|postal code|post code|city|town|village|municipality|county|district|region|\
                state|province|country|place|place of birth|birth place|birthplace|residence|neighbourhood|neighborhood|\
                location|latitude|longitude|lat|lon|lng|geo|census tract|native country|\
                plz|postleitzahl|ort|wohnort|stadt|gemeinde|landkreis|kreis|bundesland|land|bezirk|geburtsort|stadtteil|\
                herkunftsland|\
                codigo postal|cp|ciudad|municipio|localidad|provincia|comunidad autonoma|pais|lugar de nacimiento|barrio|\
                distrito|residencia|\
                code postal|ville|commune|departement|pays|lieu de naissance|quartier|arrondissement|code insee",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::High,
        meaning: NameMeaning::Origin,
        words: "sex|gender|marital status|marital|civil status|family status|relationship|household size|children|\
                number of children|nationality|citizenship|race|ethnicity|ethnic group|ethnic origin|mother tongue|language|\
                geschlecht|familienstand|staatsangehoerigkeit|staatsbuergerschaft|nationalitaet|kinder|kinderzahl|\
                haushaltsgroesse|muttersprache|sprache|herkunft|\
                sexo|genero|estado civil|nacionalidad|ciudadania|raza|etnia|hijos|numero de hijos|idioma|lengua materna|\
                sexe|genre|etat civil|situation familiale|situation matrimoniale|nationalite|citoyennete|enfants|\
                nombre d enfants|langue|langue maternelle",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::Medium,
        meaning: NameMeaning::Work,
        words: "education|education num|school|degree|qualification|occupation|profession|job|job title|employer|company|\
                workclass|work class|class of worker|industry|hours per week|department|position|\
                bildung|schulabschluss|schulbildung|ausbildung|abschluss|beruf|berufsgruppe|arbeitgeber|branche|abteilung|\
                educacion|estudios|nivel de estudios|titulacion|ocupacion|profesion|empleo|empresa|puesto|\
                formation|diplome|niveau d etudes|etudes|metier|emploi|employeur|entreprise|poste|categorie socioprofessionnelle",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::Medium,
        meaning: NameMeaning::Event,
        words: "admission|admission date|date of admission|discharge|discharge date|visit date|date of visit|date of death|\
                death date|hire date|entry date|\
                aufnahmedatum|entlassungsdatum|aufnahme|entlassung|besuchsdatum|sterbedatum|todesdatum|eintrittsdatum|\
                fecha de ingreso|fecha de alta|fecha de visita|fecha de defuncion|\
                date d admission|date d entree|date de sortie|date de visite|date de deces|date d embauche",
    },
    Topic {
        role: Role::QuasiIdentifier,
        confidence: Confidence::Low,
        meaning: NameMeaning::Feature,
        words: "height|weight|size|body height|body weight|bmi|eye colour|eye color|hair colour|hair color|\
                groesse|koerpergroesse|gewicht|koerpergewicht|augenfarbe|haarfarbe|\
                altura|talla|peso|estatura|color de ojos|color de pelo|\
                taille|poids|imc|couleur des yeux|couleur des cheveux",
    },
    Topic {
        role: Role::Sensitive,
        confidence: Confidence::High,
        meaning: NameMeaning::Health,
        words: "diagnosis|diagnose|disease|illness|condition|icd|icd 10|icd10|icd code|treatment|therapy|medication|drug|\
                blood group|blood type|disability|symptom|symptoms|hiv|hiv status|cause of death|finding|allergy|pregnancy|\
                diagnosen|krankheit|erkrankung|behandlung|therapie|medikament|medikation|blutgruppe|behinderung|befund|\
                todesursache|schwerbehinderung|allergie|\
                diagnostico|enfermedad|tratamiento|terapia|medicamento|medicacion|discapacidad|causa de muerte|sintoma|\
                grupo sanguineo|alergia|\
                diagnostic|maladie|traitement|medicament|handicap|cause du deces|symptome|groupe sanguin|pathologie",
    },
    Topic {
        role: Role::Sensitive,
        confidence: Confidence::High,
        meaning: NameMeaning::Belief,
        words: "religion|faith|belief|denomination|party|political party|political opinion|vote|union|trade union|\
                union membership|sexual orientation|orientation|criminal record|conviction|offence|offense|\
                konfession|glaube|partei|parteizugehoerigkeit|gewerkschaft|sexuelle orientierung|vorstrafe|vorstrafen|\
                straftat|delikt|weltanschauung|\
                creencia|fe|partido|partido politico|sindicato|orientacion sexual|antecedentes|antecedentes penales|delito|\
                confession|croyance|parti|parti politique|syndicat|orientation sexuelle|casier judiciaire|infraction",
    },
    Topic {
        role: Role::Sensitive,
        confidence: Confidence::Medium,
        meaning: NameMeaning::Income,
        words: "income|salary|wage|wages|earnings|pay|net worth|wealth|debt|loan|credit score|score|capital gain|\
                capital loss|balance|benefit|rent|pension|\
                einkommen|gehalt|lohn|verdienst|vermoegen|schulden|kredit|bonitaet|rente|sozialleistung|\
                ingresos|ingreso|salario|sueldo|renta|deuda|patrimonio|prestamo|\
                revenu|revenus|salaire|dette|patrimoine|pret|retraite|loyer",
    },
];

/// What a column's name means, if a list knows it.
pub(crate) fn find(name: &str) -> Option<Found> {
    let Some((name, entry)) = stands_for(name) else { return of_words(name) };
    let found = of_words(entry)?;
    let (word, entry, meaning) = (name.into(), entry.into(), found.meaning);
    Some(Found { reason: SuggestedBy::Abbreviation { word, entry, meaning }, ..found })
}

/// The same of a name that says what it is in words.
fn of_words(name: &str) -> Option<Found> {
    let words = words(name);
    let joined = words.concat();
    let mut best: Option<(usize, &Topic, &str)> = None;
    for topic in TOPICS {
        for entry in topic.words.split('|') {
            let run = entry.split(' ').count();
            // "GeburtsDatum" is two words here and one in the list.
            let length = if joined == entry { words.len() } else { run };
            let occurs = joined == entry
                || words.windows(run).any(|run| run.iter().map(String::as_str).eq(entry.split(' ')));
            if occurs && best.is_none_or(|(longest, ..)| length > longest) {
                best = Some((length, topic, entry));
            }
        }
    }
    best.map(|(length, topic, entry)| Found {
        role: topic.role,
        // A word among others says less than the whole name.
        confidence: if length == words.len() { topic.confidence } else { topic.confidence.lower() },
        meaning: topic.meaning,
        reason: SuggestedBy::Name { word: entry.into(), meaning: topic.meaning },
    })
}

/// The entry of a list (`|` between entries) that a name has, the first of it.
pub(super) fn entry(name: &str, list: &'static str) -> Option<&'static str> {
    let words = words(stands_for(name).map_or(name, |(_, entry)| entry));
    let joined = words.concat();
    list.split('|').find(|entry| {
        let run = entry.split(' ').count();
        joined == *entry || words.windows(run).any(|run| run.iter().map(String::as_str).eq(entry.split(' ')))
    })
}

/// Whether a name means something that several people may have in common: a part of a name, an address, an age.
pub(crate) fn is_shared(name: &str) -> bool {
    let found = find(name);
    found.is_some_and(|found| found.role != Role::Identifier || SHARED.contains(&found.meaning))
}

/// The words of a name: small letters without accents. Whoever compares whole names joins them.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.trim().chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && before_small) {
            words.push(String::new());
        }
        before_small = c.is_lowercase();
        if c.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            fold(c, word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The letter without case and accents; German umlauts as two letters, as "groesse" for "Größe".
fn fold(letter: char, word: &mut String) {
    for c in letter.to_lowercase() {
        match c {
            'á' | 'à' | 'â' | 'ã' => word.push('a'),
            'é' | 'è' | 'ê' | 'ë' => word.push('e'),
            'í' | 'ì' | 'î' | 'ï' => word.push('i'),
            'ó' | 'ò' | 'ô' | 'õ' => word.push('o'),
            'ú' | 'ù' | 'û' => word.push('u'),
            'ñ' => word.push('n'),
            'ç' => word.push('c'),
            'ä' => word.push_str("ae"),
            'ö' | 'œ' => word.push_str("oe"),
            'ü' => word.push_str("ue"),
            'ß' => word.push_str("ss"),
            c => word.push(c),
        }
    }
}
