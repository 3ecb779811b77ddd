import { bareClause, isReport } from './directive.ts';

/** Of all of a kind. */
const universal: RegExp =
  /^(?:all|every|each|any|only|alle|jede[rs]?|nur|tous|toutes|chaque|cada|tod[oa]s|ogni|tutt[ie]|elke|все|кажд\p{L}+|wszystkie|każd\p{L}|tüm|her|كل|सभी|हर)(?!\p{L})|^(?:所有|每个|每一|凡|すべて|全て|全部|모든|각)/iu;
/** How things behave, or fail to; or the status of a response. */
const failing: RegExp =
  /(?<!\p{L})(?:fail|finish|crash|error|broke|reject|slow|wrong|empty|missing|lost|pass|hang|time.?out|null|undefined|twice|work|return|seem|look|again|still|now|fehl|schl\u00e4gt|l\u00e4uft|laufen|geht|échou|march|fonctionn|fall|funcion|falh|fallisc|funzion|mislukt|werkt|пада|работа|dzia\u0142)\p{L}*|\b[45]\d\d\b|失败|报错|エラー|失敗|오류|실패/iu;

/** What is said to a partner: agreement, thanks, a step to take together, what is to be known of the speaker. */
const talk: RegExp =
  /^(?:yes|no|yeah|okay?|sure|great|good|perfect|thanks?|sorry|hi|hello|let['’]s|now|then|next|first|change of|ja|nein|danke|gut|super|oui|non|merci|sí|gracias|sim|obrigad[oa]|grazie|да|спасибо)(?!\p{L})|^(?:好|是|谢谢|はい|いいえ|ありがとう|네|감사)/iu;

/** Of a kind without an article, what it needs, follows or belongs to. */
const kind: RegExp =
  /^(?!(?:the|these|those|my|our|your|this|it|things?|users?)(?!\p{L}))(?:\p{L}+ )?\p{L}+(?<![su])s (?:need|use|go|live|belong|follow|start|end|have|are (?:\p{L}+(?:ed|en)|in))(?!\p{L})/iu;

/** True when a sentence, whole, neither reports nor answers: where it stands may tell that it is meant to last. */
export function isStated(sentence: string): boolean {
  return (
    /[.!\u3002\uff01\u0964]['"\u201d)]?$/.test(sentence) &&
    /^["'\u201c`(]?[\p{Lu}\p{Lo}\p{N}]/u.test(sentence) &&
    !talk.test(sentence) &&
    !isReport(sentence)
  );
}

/** True when a sentence says of all of a kind how they are. Whether that is meant as a rule, only its speaker knows. */
export function isGeneric(sentence: string): boolean {
  const bare = bareClause(sentence);
  return isStated(sentence) && (universal.test(bare) || kind.test(bare)) && !failing.test(sentence);
}
