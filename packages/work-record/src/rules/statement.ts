import { bareClause, isReport } from './directive.ts';

/** Matches a quantifier at the start: "all", "every", "only". */
const universal: RegExp =
  /^(?:all|every|each|any|only|alle|jede[rs]?|nur|tous|toutes|chaque|cada|tod[oa]s|ogni|tutt[ie]|elke|все|кажд\p{L}+|wszystkie|każd\p{L}|tüm|her|كل|सभी|हर)(?!\p{L})|^(?:所有|每个|每一|凡|すべて|全て|全部|모든|각)/iu;
/** Matches words that describe behavior or failure, and HTTP error statuses. */
const behavior: RegExp =
  /(?<!\p{L})(?:fail|finish|crash|error|broke|reject|slow|wrong|empty|missing|lost|pass|hang|time.?out|null|undefined|twice|work|return|seem|look|again|still|now|fehl|schl\u00e4gt|l\u00e4uft|laufen|geht|échou|march|fonctionn|fall|funcion|falh|fallisc|funzion|mislukt|werkt|пада|работа|dzia\u0142)\p{L}*|\b[45]\d\d\b|失败|报错|エラー|失敗|오류|실패/iu;

/** Matches conversation at the start: agreement, thanks, a proposal, a greeting. */
const conversation: RegExp =
  /^(?:yes|no|yeah|okay?|sure|great|good|perfect|thanks?|sorry|hi|hello|let['’]s|now|then|next|first|change of|ja|nein|danke|gut|super|oui|non|merci|sí|gracias|sim|obrigad[oa]|grazie|да|спасибо)(?!\p{L})|^(?:好|是|谢谢|はい|いいえ|ありがとう|네|감사)/iu;

/** Matches a plural without an article and what holds for it: "migrations need a review". */
const pluralSubject: RegExp =
  /^(?!(?:the|these|those|my|our|your|this|it|things?|users?)(?!\p{L}))(?:\p{L}+ )?\p{L}+(?<![su])s (?:need|use|go|live|belong|follow|start|end|have|are (?:\p{L}+(?:ed|en)|in))(?!\p{L})/iu;

/** True for a complete sentence that neither reports nor converses. Its place may show that it is a standing rule. */
export function isStated(sentence: string): boolean {
  return (
    /[.!\u3002\uff01\u0964]['"\u201d)]?$/.test(sentence) &&
    /^["'\u201c`(]?[\p{Lu}\p{Lo}\p{N}]/u.test(sentence) &&
    !conversation.test(sentence) &&
    !isReport(sentence)
  );
}

/** True for a sentence that states a property of all things of a kind. It may be a rule or an observation. */
export function isGeneric(sentence: string): boolean {
  const bare = bareClause(sentence);
  return isStated(sentence) && (universal.test(bare) || pluralSubject.test(bare)) && !behavior.test(sentence);
}
