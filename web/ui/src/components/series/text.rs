//! What the views of a series say.

pub(super) const KIND: &str = "Is this table released once, or again and again?";
pub(super) const KIND_HINT: &str = "Two tables of the same people, each safe, can betray them together. A series keeps every \
    person's possible values the same in all of its releases. Its memory is a private file, the ledger.";
pub(super) const ID: &str = "Column that names people";
pub(super) const ID_HINT: &str =
    "The same name for the same person in every release; one row each. It is not published.";
pub(super) const CHOOSE: &str = "Choose a column";
pub(super) const MODE: &str = "From release to release, people may";
pub(super) const MODE_HINT: &str =
    "For the whole series. A release that breaks it is refused, with the names of the people.";
pub(super) const SIGNATURES: &str = "Sets of values";
pub(super) const SIGNATURES_HINT: &str = "A person's set of values stays for ever. Free ones lose least now; where many \
    people leave, few sets need fewer counterfeits later.";
pub(super) const LEDGER: &str = "Ledger of the series";
pub(super) const LEDGER_HINT: &str = "The last one, which was saved with the release before. It is read in this page only. A ledger that is sealed with a \
     passphrase is refused here: the command line opens it.";
pub(super) const PREVIOUS: &str = "The last release, to compare (not needed)";
pub(super) const REFUSED: &str = "This ledger cannot be used";
pub(super) const NOT_NEXT: &str = "This table cannot be the next release";
pub(super) const SETTLED: &str =
    "Roles and guarantee below are those of the series: a release made otherwise is refused.";
pub(super) const TO_DO_ID: &str = "To do: choose the column that names people, in step 1.";
pub(super) const TO_DO_LEDGER: &str = "To do: choose the ledger of the series, in step 1.";
pub(super) const BELIEVER: &str = "For you alone: somebody who believes that values never change, and has all releases, \
    can rule out so many values of a person whose value changed that this number is left:";
pub(super) const TOGETHER: &str = "All releases together";
pub(super) const TOGETHER_HINT: &str = "Choose the earlier releases of this series, all at once and in any order; this one and \
    its ledger are there. The audit intersects what they say of everybody, as an attacker would.";
pub(super) const EARLIER: &str = "Earlier releases (CSV)";
pub(super) const JUDGE: &str = "Check all releases together";
pub(super) const HOLDS: &str = "All releases together keep the promise";
pub(super) const BROKEN: &str = "All releases together break the promise: do not publish this one";
pub(super) const NOT_JUDGED: &str = "The releases were not judged";
pub(super) const LEDGER_TITLE: &str = "Do not publish: the ledger";
pub(super) const LEDGER_WARNING: &str = "The ledger links every release to the people in it: whoever has it can undo the series. \
    Without it the series cannot go on. Do not save it in the folder of the release, and keep copies where you keep the \
    tables themselves. Save it before the release is handed out.";
pub(super) const APART: &str = "It goes to another folder than the release, which only we can read";
pub(super) const SAVE_LEDGER: &str = "Download the ledger (do not publish)";
pub(super) const ONCE: &str = "Make one release from each ledger: of two from the same state, hand out only one, and go on with \
    its own ledger.";
pub(super) const SEVERAL: &str = "Several releases of one series";
pub(super) const SEVERAL_HINT: &str = "Tables that are safe each alone may betray people together. With the ledger the check is \
    exact. With the tables that they were made of it is made as an attacker who knows everybody's quasi-identifiers. Neither \
    leaves this page. CSV in UTF-8.";
pub(super) const RELEASES: &str = "The releases";
pub(super) const SOURCES: &str =
    "Or the tables they were made of, as many, in the order of the releases' names";
pub(super) const QUASI: &str = "Columns others may know";
pub(super) const SENSITIVE: &str = "Sensitive column";
pub(super) const FIELDS_HINT: &str = "Names as in the header, separated by commas.";
pub(super) const NAME_HINT: &str = "Its name as in the header.";
pub(super) const M_HINT: &str = "Values that must be left of everybody.";
