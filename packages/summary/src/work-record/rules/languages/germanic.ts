import type { Directives } from './directives.ts';

// Negations and quantifiers state rules only in clauses with the verb first or last, which are imperatives.

const never = '(?:nie(?:mals)?|nicht|keine?[nmrs]?|immer|stets|grundsätzlich|ausschließlich|nur|nichts|erst)';
const verb =
  '(?:änd(?:e)?re|veränder[en]?|verwende|benutze?|nutze?|nimm|schreibe?|antworte|beantworte|lösche?|fasse?|rühre?|berühre?|mache?|tu|gib|füge?|bearbeite|editiere|pushe?|committe|halte?|lasse?|bleibe?|benenne|verschiebe?|entferne|installiere|führe?|starte|frage?|sprich|rede|nenne?|erkläre?|erwähne|setze?|lege?|stelle?|erstelle|vergiss|prüfe?|teste|warte|sage?|zeige?|formatiere|kommentiere|übersetze?|überschreibe?|modifiziere|merge|erfinde|rate|vermische|importiere|greife?|speichere|bevorzuge)';
const finite =
  'ist|sind|war|waren|wird|werden|wurden?|hat|haben|hatten?|kann|können|konnten?|will|wollen|wollten?|scheint|lässt|geht|weil|dass|ob|obwohl|wo|warum|ich|es|er|wir';

const dutchVerb =
  '(?:gebruik|wijzig|verander|pas|raak|verwijder|schrijf|antwoord|voeg|houd?|laat|blijf|zet|maak|doe|vraag|commit|push|bewerk|hernoem|verplaats|installeer|voer|draai|spreek|praat|noem|test|controleer|geef|volg|merge)';

const nordicVerb =
  '(?:ändra|använd|rör|ta|skriv|svara|lägg|gör|radera|kör|fråga|håll|lämna|flytta|pusha|committa|brug|ændr|rør|fjern|slet|spørg|svar|tilføj|bruk|endre|slett|spør|legg|gjør|kjør|hold|la|push|commit)';

export const german: Directives = {
  opening: [
    String.raw`(?:bitte )?${verb}(?: sie)?(?!\p{L})[^?]{0,80}(?<!\p{L})${never}(?!\p{L})`,
    String.raw`\p{L}+n sie (?:bitte )?[^?]{0,60}(?<!\p{L})${never}(?!\p{L})`,
    // Imperatives that are only an infinitive at the end.
    String.raw`(?!(?:${finite}|ja|nein) )(?!.{0,120}(?<!\p{L})(?:${finite})(?!\p{L}))[^?]{0,80}(?<!\p{L})${never} [^?]{0,60}(?<=\p{L}{2})(?:en|ern|eln)[.!]?$`,
    String.raw`(?:bitte )?keine?n? (?!(?:ahnung|fehler|ausgabe|problem|änderung|antwort|lust|zeit|sorge|wunder|ergebnis|reaktion|unterschied|idee|verbindung|warnung|meldung|treffer)\p{L}*)(?!.{0,80}(?<!\p{L})(?:${finite}|mehr)(?!\p{L}))\p{L}`,
    String.raw`(?:bitte )?(?:vermeide|achte (?:darauf|auf)|stell(?:e)? sicher|denk(?:e)? (?:daran|immer)|halte? (?:dich|deine|die|alle)|fass(?:e)? dich kurz|bleib(?:e)? (?:bei|auf|in|unter)|verzichte)(?!\p{L})`,
    String.raw`(?:bitte )?(?:frage?|warne?|sage?) (?:mich|mir|uns)(?!\p{L})[^?]{0,40}(?:bevor|vorher|erst)(?!\p{L})`,
    String.raw`(?:bitte )?(?:antworte|schreibe?|sprich|rede|antworten sie|schreiben sie)(?!\p{L})[^?]{0,60}(?<!\p{L})(?:auf|in) (?:\p{L}+isch|deutsch|kurzen|ganzen)`,
    String.raw`(?:bitte )?${verb}(?: sie)? [^?]{1,60}(?<!\p{L})(?:statt|anstatt|anstelle)(?!\p{L})|[^?]{2,40} (?:bleibt|bleiben) (?:unverändert|unangetastet)`,
    '(?:bitte )?(?:duze?|sieze?|duzen|siezen) ',
    '(?:bitte )?lass(?:e|en sie)? [^.]{1,60} (?:in ruhe|unverändert|unangetastet|so,? wie|stehen)',
    String.raw`(?:nichts|niemand|kein\p{L}*)(?!\p{L})[^?]{1,80} (?:ohne (?:mein|unser|zu fragen|vorher|rück|freigabe)|außer |solange ich)`,
    'niemand (?:außer|darf|soll)|nichts darf',
    String.raw`(?:bei|vor|nach|in) (?:jede[mrns]|allen) [^?]{1,60}(?<!\p{L})(?:muss|soll|bitte|immer|erst)(?!\p{L})`,
    String.raw`jede[rs]? [^?]{1,60} (?:braucht|bekommt|muss|soll|gehört)(?!\p{L})`,
    String.raw`ich (?:bevorzuge|hätte (?:gern|lieber)|will|möchte|mag|wünsche)(?!\p{L})[^?]{0,30}(?<!\p{L})(?:keine?n?|nur|immer|nie|lieber|dass (?:alle|jede|du|nichts|sie|kein)|kurze|jede[ns]?|alle)(?!\p{L})`,
    'ich bevorzuge|mir (?:ist|sind|wäre|wären) [^?]{1,60} lieber|lieber [^?]{1,40} als ',
  ],
  within: [
    'ab (?:jetzt|sofort|heute)|künftig|von nun an|in zukunft|auf keinen fall|keinesfalls|unter keinen umständen|ausnahmslos|bis auf weiteres|jedes mal,? wenn du',
    String.raw`(?:darf(?:st)?|dürfen)(?! ich)(?:(?! ich)[^?]){0,60}(?<!\p{L})(?:nicht|nie|niemals|nur|keine?[nmrs]?|nichts)(?!\p{L})`,
    String.raw`(?:soll(?:en|st|t|te|ten)?)(?! (?:ich|wir|das|doch))(?!\p{L})[^?]{0,60}(?<!\p{L})(?:immer|nie|niemals|keine?[nmrs]?|stets|nur|ausschließlich|überall)(?!\p{L})`,
    String.raw`(?<!(?:ich|wir|man|es|das|da|was) )(?:muss|müssen|musst)(?! (?:ich|wir|man|an|wohl|irgend|doch))(?!\p{L})(?=[^?]{0,80}(?<!\p{L})(?:immer|stets|jederzeit|alle|überall|bleiben|weiter\p{L}*|laufen|bestehen|kompatibel|lesbar|sein)(?!\p{L}))`,
    'tabu|verboten|untersagt|finger weg|hände weg|nicht (?:erlaubt|gestattet|zulässig)|ist pflicht',
    'ohne (?:meine?|rückfrage|rücksprache|zu fragen|mich zu fragen|vorherige|ausdrückliche)',
    String.raw`wird (?:nie|niemals|nicht (?:direkt|ohne|von hand))(?!\p{L})|werden (?:nie|niemals|nicht (?:direkt|ohne|von hand))(?!\p{L})`,
  ],
  reports: [
    String.raw`(?:ich|wir) (?:habe?n?|war(?:en)?|bin|sind|kann|können|konnte|muss|müssen|weiß|wissen|sehe|sehen|glaube|verstehe|bekomme|finde)(?!\p{L})`,
    String.raw`(?:habe|hast|hat|haben|hatte|wurde|wurden|war|waren|kam|ging|lief|blieb)(?!\p{L})|leider|seit (?:du|gestern|heute)`,
  ],
};

export const dutch: Directives = {
  opening: [
    String.raw`(?:graag )?${dutchVerb}(?!\p{L})[^?]{0,80}(?<!\p{L})(?:nooit|niets?|geen|altijd|alleen|uitsluitend|liever|met rust|ongemoeid)(?!\p{L})`,
    String.raw`(?:nooit|altijd|niet) [^?]{2,60}(?<=\p{L}{2})en[.!]?$`,
    `${dutchVerb} [^?]{1,60} (?:in plaats van|liever dan) `,
    String.raw`vermijd |blijf (?:weg|af|bij|op|van)(?!\p{L})|zorg (?:er )?(?:altijd )?(?:voor|dat)|let (?:er)?op dat|hou(?:d)? je (?:aan|bij)`,
    String.raw`(?:vraag|waarschuw|overleg)(?!\p{L})[^?]{0,40}(?:voordat|eerst|vooraf)(?!\p{L})`,
    String.raw`(?:antwoord|schrijf|praat|spreek)(?!\p{L})[^?]{0,40} in het \p{L}+`,
    String.raw`geen (?!(?:idee|probleem|fout|resultaat|uitvoer|antwoord|reactie|verschil|zorgen)\p{L}*)(?!.{0,60}(?<!\p{L})(?:is|zijn|was|waren|meer)(?!\p{L}))\p{L}`,
    String.raw`ik wil (?:[^?]{0,20} )?(?:geen|alleen|liever|niet dat|dat (?:alle|elke|je|niets))(?!\p{L})|ik (?:heb|zie) liever `,
  ],
  within: [
    String.raw`(?:mag|mogen)(?! ik)(?!\p{L})[^?]{0,60}(?<!\p{L})(?:nooit|niet|geen|alleen|niets)(?!\p{L})`,
    String.raw`(?:moet|moeten)(?!\p{L})[^?]{0,60}(?<!\p{L})(?:altijd|overal|blijven)(?!\p{L})`,
    'vanaf (?:nu|vandaag)|voortaan|in geen geval|onder geen beding|zonder (?:mijn|te vragen|overleg|toestemming)|is verboden|niet toegestaan',
  ],
  reports: [String.raw`ik (?:heb (?!liever)|kan|weet|begrijp|zie|denk)(?!\p{L})|het (?:werkt|is|lijkt|moet)(?!\p{L})`],
};

export const nordic: Directives = {
  opening: [
    String.raw`${nordicVerb}(?!\p{L})[^?]{0,60}(?<!\p{L})(?:aldrig|aldri|inte|ikke|intet|inget|ingenting|alltid|altid|endast|bara|kun|bare)(?!\p{L})`,
    String.raw`(?:aldrig|aldri|alltid|altid|ikke|inte) ${nordicVerb}(?!\p{L})`,
    String.raw`(?:fråga|spørg|spør) (?:mig|meg|oss|os)(?!\p{L})[^?]{0,30}(?:innan|först|før|først)(?!\p{L})|undvik |undgå |unngå `,
    '(?:inga|ingen|ingen nye) [^?]{2,60}(?:utan att|uden at|uten å)',
    'jag (?:föredrar|vill (?:inte|bara|att alla|att du alltid))|jeg (?:foretrækker|foretrekker|vil (?:ikke have|ikke ha|kun))',
  ],
  within: [
    String.raw`får (?:aldrig|inte|endast)|må (?:aldri|aldrig|ikke|kun|bare)(?!\p{L})|ska (?:alltid|aldrig)|skal (?:altid|alltid|aldrig|aldri)|(?:måste|må) (?:alltid|altid)`,
    'från och med nu|fra (?:nå|nu) av|fremover|framöver|utan att fråga|uten å spørre|uden at spørge|är förbjudet|er forbudt',
  ],
  reports: [String.raw`(?:jag|jeg|det|den) (?:fungerar|virker|har|kan|är|er|ändrade|endret)(?!\p{L})`],
};
