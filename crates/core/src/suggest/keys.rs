//! Names of columns that are the key of a person: if such a column has a value twice, a person has two rows.
//!
//! A name that merely begins with one ("patient age") or has a number in it ("hospital id", "ward no") is none, and neither are
//! first names, surnames and addresses, which people share, nor numbers of people ("number of persons").

use super::names::words;

/// How much the name of a column says for its being the key of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// An id of something that is not known to be anything else than a person: `xyz_id`. Only values that repeat as those of
    /// persons would make it one.
    Unknown,
    /// A full name or an e-mail address: two people may share one.
    Name,
    /// A number, but it does not say of what: "id".
    Number,
    /// A visit or a case of a person; several rows of one are several rows of a person. It may also be a number within
    /// something: the first visit, the second person of a household.
    Visit,
    /// "patient", which may also hold "yes" or a number of patients.
    Person,
    /// "patient id", "social security number".
    Key,
}

/// Words for a person.
const PERSONS: &str = "patient|pat|person|pers|subject|subj|sub|participant|respondent|resp|individual|proband|donor|customer|client|\
    member|employee|user|student|pupil|citizen|resident|applicant|insured|beneficiary|enrollee|people|cust|emp|bene|benef|\
    patientin|patienten|personen|teilnehmer|teilnehmerin|versicherter|versicherten|versicherte|versuchsperson|vpn|befragter|\
    probanden|befragten|kunde|kunden|mitglied|mitglieds|mitarbeiter|personal|schueler|buerger|bewohner|\
    paciente|pacientes|persona|personas|sujeto|participante|encuestado|cliente|miembro|empleado|usuario|alumno|asegurado|\
    ciudadano|pac|beneficiario|afiliado|\
    personne|sujet|repondant|membre|employe|utilisateur|eleve|etudiant|assure|adherent";

/// Words for a visit or a case.
const VISITS: &str = "visit|encounter|episode|stay|hadm|case|file|fall|aufenthalt|visita|episodio|sejour";

/// Of these the word alone is a column's name, too.
const ALONE: &str = "patient|person|subject|participant|respondent|individual|proband|customer|client|employee|user|beneficiary|\
    enrollee|kunde|cliente|empleado|usuario|beneficiario|asegurado|\
    patientin|teilnehmer|versuchsperson|vpn|befragter|paciente|persona|sujeto|participante|encuestado|personne|sujet|repondant";

/// Words for a number or key.
const KEYS: &str = "id|ids|uid|uuid|guid|key|no|nr|num|number|code|hash|identifier|ident|ref|pseudonym|token|sk|pk|\
    nummer|kennung|schluessel|ziffer|kennziffer|identificador|numero|clave|codigo|identifiant|cle";

/// Of these the ones that may also say how many.
const COUNTING: &str = "no|nr|num|number|nummer|numero";

/// Words for persons that may be plural: after a word that counts they say how many.
const PLURAL: &str = "people|personen|personas|pacientes|patienten|probanden|emp|cust|pac";

/// "sub" is a subject beside these only: a sub code, sub number or subkey is nobody's.
const OF_SUBJECTS: &str = "id|ids|uid|uuid|ident|identifier";

/// Places within something rather than persons.
const WITHIN: &str = "person number|person no|person num|numero de persona|numero de personne";

/// Words between these two.
const BETWEEN: [&str; 8] = ["of", "the", "de", "del", "la", "le", "du", "der"];

/// Numbers of persons, wherever they stand in a name.
const NUMBERS: &str = "ssn|mrn|subjid|usubjid|ptid|patid|chart number|chart no|chart nr|social security number|social security no|social security|\
    national id|national insurance number|nhs number|nhs no|insurance number|insurance no|medical record number|\
    medical record no|health card number|passport number|passport no|tax id|tax number|id number|\
    policy number|enrolid|desynpuf id|\
    sozialversicherungsnummer|svnr|versichertennummer|versicherungsnummer|versicherungsnr|krankenversichertennummer|kvnr|\
    steuer id|steueridentifikationsnummer|patientennummer|patientennr|patientenid|personalnummer|personalnr|kundennummer|\
    kundennr|mitgliedsnummer|matrikelnummer|matrikel|matrikelnr|ausweisnummer|passnummer|probandennummer|\
    dni|curp|cedula|nhc|num historia|no historia|nr historia|numero historia|numero de historia|numero de seguridad social|numero de la seguridad social|tarjeta sanitaria|\
    numero de historia clinica|historia clinica|\
    numero de securite sociale|numero secu|carte vitale";

/// Numbers of a visit or a case, wherever they stand in a name.
const CASES: &str = "fallnummer|fallnr|aktenzeichen|numero de expediente|numero de dossier";

/// Numbers of something, as the whole of a name.
const BARE: &str = "id|ids|uid|uuid|guid|pid|eid|key|nino|record id|row id|nr|no|number|pseudonym|identifier|passport|insurance|\
    kennung|nummer|laufende nummer|lfd nr|\
    idnum|id num|idno|id no|idnr|id nr|pseudo id|pseudo|hash|hash id|hashed id|hospital no|hospital number|hospital nr|\
    nie|nif|rut|folio|identificador|expediente|identifiant|cle|clave|numero|numero d ordre";

/// Words for a key and nothing else.
const IDS: &str =
    "id|ids|uid|uuid|guid|key|pk|sk|hash|token|pseudonym|ident|identifier|identificador|identifiant|kennung";

/// What has keys and is no person, or is shared by persons. A name with one of them is its key.
const THINGS: &str = "hospital|hosp|ward|clinic|household|hh|hhold|family|house|school|course|product|item|article|order|drug|\
    country|nation|state|county|city|town|region|district|area|zone|zip|postal|postcode|tract|block|puma|fips|geo|place|location|\
    site|center|centre|station|department|dept|unit|bed|room|floor|provider|prov|physician|doctor|dr|gp|practice|practitioner|nurse|\
    facility|plant|utility|company|firm|employer|organisation|organization|org|vehicle|veh|event|icd|diagnosis|diag|dx|procedure|\
    proc|test|lab|specimen|sample|batch|lot|group|grp|cluster|stratum|strata|psu|team|category|cat|class|type|kind|status|job|\
    occupation|occ|industry|ind|building|address|street|device|machine|invoice|transaction|source|file|table|record|row|line|\
    question|answer|variable|version|language|currency|store|shop|branch|supplier|vendor|project|study|trial|protocol|form|survey|\
    wave|year|month|day|date|time|session|page|url|image|gene|protein|variant|snp|\
    krankenhaus|klinik|station|haushalt|familie|schule|klasse|produkt|artikel|land|kreis|gemeinde|ort|plz|abteilung|arzt|praxis|\
    firma|betrieb|gruppe|typ|studie|standort|zentrum|\
    clinica|hogar|familia|escuela|clase|producto|articulo|pais|provincia|municipio|ciudad|centro|servicio|medico|empresa|grupo|\
    tipo|estudio|sala|\
    hopital|clinique|menage|famille|ecole|classe|produit|pays|commune|ville|service|medecin|entreprise|groupe|etude|unite";

/// Keys of persons, as the whole of a name.
const WHOLE: &str = "medical record";

/// Full names and addresses of one person, as the whole of a name.
const NAMES: &str = "name|names|full name|fullname|patient name|customer name|employee name|person name|client name|user name|\
    username|nickname|email|e mail|mail|email address|e mail address|\
    vollname|benutzername|patientenname|e mail adresse|emailadresse|\
    nombre|nombre completo|nombre y apellidos|correo|correo electronico|\
    nom|nom complet|nom et prenom|courriel|adresse electronique";

/// Whether a column of this name is the key of a person, as far as the name says.
pub(crate) fn strength(name: &str) -> Option<Strength> {
    let all = words(name);
    let words: Vec<&str> = all
        .iter()
        .map(String::as_str)
        .filter(|word| !word.bytes().all(|b| b.is_ascii_digit()) && !BETWEEN.contains(word))
        .collect();
    let (whole, joined) = (all.join(" "), words.concat());
    let is = |list: &str| list.split('|').any(|entry| entry == whole || entry == joined);
    if is(NAMES) {
        Some(Strength::Name)
    } else if is(WITHIN) {
        Some(Strength::Visit)
    } else if has_key(&words, PERSONS) || numbers(&all, &joined, NUMBERS) || is(WHOLE) {
        Some(Strength::Key)
    } else if has_key(&words, VISITS) || numbers(&all, &joined, CASES) {
        Some(Strength::Visit)
    } else if is(ALONE) {
        Some(Strength::Person)
    } else {
        let unknown =
            words.iter().any(|word| among(IDS, word)) && !words.iter().any(|word| among(THINGS, word));
        if is(BARE) { Some(Strength::Number) } else { unknown.then_some(Strength::Unknown) }
    }
}

/// Whether a person and a number stand side by side, as two words or as one ("patientid", "idpaciente").
fn has_key(words: &[&str], of: &str) -> bool {
    let holds = |person: &str, key: &str| {
        among(of, person) && among(KEYS, key) && (person != "sub" || among(OF_SUBJECTS, key))
    };
    let side_by_side = |a: &str, b: &str| {
        let counted = among(COUNTING, a) && among(PLURAL, b);
        holds(a, b) || (holds(b, a) && !counted)
    };
    let compound = |word: &str| {
        word.char_indices().any(|(at, _)| {
            let (a, b) = word.split_at(at);
            // A person in fewer letters than three is a piece of some other word.
            side_by_side(a, b) && [a, b].iter().any(|part| part.len() >= 3 && among(of, part))
        })
    };
    words.windows(2).any(|two| side_by_side(two[0], two[1])) || words.iter().any(|word| compound(word))
}

fn among(list: &str, word: &str) -> bool {
    list.split('|').any(|entry| entry == word)
}

/// Numbers of persons by their check digits alone: their names mean other things, too.
const BY_CELLS: &str = "nir|nie|nif";

/// Whether cells of a column of this name are to be looked at: it is a number of something, or has no name of its own.
pub(crate) fn may_be_number(name: &str) -> bool {
    let of_none = name.strip_prefix("column").is_some_and(|place| place.bytes().all(|b| b.is_ascii_digit()));
    let words = words(name);
    of_none || words.iter().any(|word| among(KEYS, word)) || among(BY_CELLS, &words.concat())
}

/// Whether a number of persons stands in a name, as words or as all of it.
fn numbers(words: &[String], joined: &str, list: &str) -> bool {
    list.split('|').any(|entry| {
        let run = entry.split(' ').count();
        entry.replace(' ', "") == joined
            || words.windows(run).any(|run| run.iter().map(String::as_str).eq(entry.split(' ')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_persons() {
        for name in [
            "patient_id",
            "PatientID",
            "patientid",
            "Patient-Nr.",
            "patient no",
            "src_subject_id",
            "subject_id",
            "person_id",
            "ID Patient",
            "numero de paciente",
            "id del paciente",
            "Versicherten-Nr",
            "participant code",
            "hashed_patient_key",
            "SSN",
            "client_ssn",
            "social security number",
            "Insurance Number",
            "patient_insurance_number",
            "mrn",
            "USUBJID",
            "Patientennummer",
            "DNI",
            "employee number",
            "user_id",
            "member_id",
            "customerid",
            "userid",
            "memberid",
            "employeeid",
            "studentid",
            "clientid",
            "kundenid",
            "usuarioid",
            "clienteid",
            "idpaciente",
            "mitarbeiterid",
            "Mitarbeiternummer",
            "patno",
            "patnr",
            "chartno",
            "medical record",
            "personnummer",
            "cust_id",
            "emp_no",
            "bene_id",
            "DESYNPUF_ID",
            "enrolid",
            "Matrikel",
            "cédula",
            "nhc",
            "num_historia",
            "id_pac",
            "idpac",
            "Probandencode",
        ] {
            assert_eq!(strength(name), Some(Strength::Key), "{name}");
        }
    }

    #[test]
    fn keys_of_less_weight() {
        for name in [
            "Fall-Nr",
            "case id",
            "HADM_ID",
            "visit_id",
            "Aktenzeichen",
            "numero de dossier",
            "case_number",
            "caseid",
            "visitid",
            "encounterid",
            "visitnumber",
            "person number",
        ] {
            assert_eq!(strength(name), Some(Strength::Visit), "{name}");
        }
        for name in [
            "patient",
            "Subject",
            "PERSON",
            "Proband",
            "patient 1",
            "customer",
            "Client",
            "user",
            "employee",
            "beneficiary",
        ] {
            assert_eq!(strength(name), Some(Strength::Person), "{name}");
        }
        for name in [
            "id",
            "ID",
            "uuid",
            "key",
            "nummer",
            "pid",
            "record id",
            "nino",
            "NIE",
            "nif",
            "RUT",
            "folio",
            "IDnum",
            "pseudo_id",
            "hash",
            "hospital_no",
        ] {
            assert_eq!(strength(name), Some(Strength::Number), "{name}");
        }
        for name in ["lookup_id", "xyzID", "id_tag", "enc_key"] {
            assert_eq!(strength(name), Some(Strength::Unknown), "{name}");
        }
        for name in ["name", "Full Name", "e-mail", "patient name", "nom complet"] {
            assert_eq!(strength(name), Some(Strength::Name), "{name}");
        }
    }

    #[test]
    fn what_people_share_is_no_key() {
        for name in [
            "age",
            "relationship",
            "hospital id",
            "ward_id",
            "ward",
            "clinic no",
            "UTILITYID",
            "postcode",
            "zip",
            "country_code",
            "patient age",
            "patient_sex",
            "patient zip",
            "first name",
            "surname",
            "Nachname",
            "Vorname",
            "street",
            "household id",
            "ICD code",
            "product number",
            "student status",
            "number of children",
            "class",
            "person weight",
            "subject area",
            "AFNLWGT",
            "fnlwgt",
            "column1",
            "hours-per-week",
            "native-country",
            "STATE",
            "OCCP",
            "passport country",
            "number of people",
            "num_people",
            "numpeople",
            "número de personas",
            "edad del niño",
            "nie geraucht",
            "nir absorbance",
            "NIR",
            "sub code",
            "subno",
            "sub_number",
            "medical record type",
            "client type",
            "NOEMP",
            "num_emp",
            "doctor_id",
            "Station-ID",
            "sample id",
            "user type",
        ] {
            assert_eq!(strength(name), None, "{name}");
        }
    }
}
