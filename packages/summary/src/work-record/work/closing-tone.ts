import { isQuestion } from '../text/sentences.ts';
import { wordExpression } from '../text/word-expression.ts';

/** What the agent's last text in a turn says about the request. */
export type ClosingTone = 'done' | 'failed' | 'asks' | 'tells';

/** Maximum characters to read at each end of a text. */
const start = 300;
const end = 200;

/** Matches a report that something was finished, near the beginning of a text. */
const finished = wordExpression(
  [
    String.raw`^[^\p{L}]{0,8}(?:all |that'?s |it'?s |everything(?: is|'s) )?(?:done|fixed|implemented|complete[d]?|finished|updated|added|removed|created|committed|pushed|merged|renamed|reverted|replied|saved|logged|ready|addressed|resolved|installed|deployed|replaced|moved|migrated|refactored)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:(?:is|are|was|were|been|now|has|have|both|successfully) (?:now |all |both |been |successfully )*(?:done|fixed|implemented|complete[d]?|finished|addressed|resolved|updated|merged|pushed|committed|created|added|removed|replaced|in place)|(?:implementation|refactor(?:ing)?|migration|work|task) (?:is )?complete|all (?:\d+ |the )?(?:tests|checks)(?: now)? pass|tests (?:now )?pass|completed? successfully|successfully (?:\p{L}+ed)|i(?:['\u2019]ve| have) (?:now |also |just )?(?:fixed|added|implemented|updated|created|removed|changed|written|renamed|moved|replaced|refactored))(?!\p{L})`,
    String.raw`(?<!\p{L})(?:fertig|erledigt|behoben|umgesetzt|abgeschlossen|termin\u00e9e?|corrig\u00e9e?|c['\u2019]est fait|listo|hecho|completad[oa]|corregid[oa]|conclu\u00edd[oa]|feito|corrigid[oa]|fatto|completat[oa]|corrett[oa]|klaar|gedaan|opgelost|klart|f\u00e4rdigt?|gotowe|zrobione|naprawion[oey]|tamamland\u0131|tamam|bitti|\u0433\u043e\u0442\u043e\u0432\u043e|\u0441\u0434\u0435\u043b\u0430\u043d\u043e|\u0438\u0441\u043f\u0440\u0430\u0432\u043b\u0435\u043d\u043e|\u0438\u0441\u043f\u0440\u0430\u0432\u0438\u043b|\u0434\u043e\u0431\u0430\u0432\u0438\u043b)(?!\p{L})`,
    '\u5b8c\u4e86|(?<!\u5931\u6557|\u767a\u751f|\u78ba\u8a8d|\u8abf\u67fb)\u3057\u307e\u3057\u305f|\u5df2(?:\u7ecf)?(?:\u5b8c\u6210|\u4fee\u590d|\u6dfb\u52a0|\u66f4\u65b0|\u5220\u9664|\u521b\u5efa)|\u5b8c\u6210\u4e86|\u641e\u5b9a|\uc644\ub8cc|(?:\uc218\uc815|\ucd94\uac00|\uc0dd\uc131|\uc0ad\uc81c)\ud588\uc2b5\ub2c8\ub2e4|\u062a\u0645 |\u0627\u0646\u062c\u0627\u0645 \u0634\u062f|\u05d1\u05d5\u05e6\u05e2|\u05ea\u05d5\u05e7\u05df|\u0939\u094b \u0917\u092f\u093e|\u0915\u0930 \u0926\u093f\u092f\u093e',
  ].join('|'),
);

/** Matches a report that something was not possible. */
const failed = wordExpression(
  String.raw`(?<!\p{L})(?:(?:i|we) (?:could|can|was|were|am)(?: not|n['\u2019]t)(?: able)?|cannot|unable to|(?:i|we) failed to|not possible|unfortunately|leider|konnte nicht|impossible de|malheureusement|no (?:pude|puedo|fue posible)|lamentablemente|n\u00e3o (?:consegui|foi poss\u00edvel)|non (?:sono riuscit|\u00e8 stato possibile)|\u043a \u0441\u043e\u0436\u0430\u043b\u0435\u043d\u0438\u044e|\u043d\u0435 \u0443\u0434\u0430\u043b\u043e\u0441\u044c)(?!\p{L})|\u3067\u304d\u307e\u305b\u3093\u3067\u3057\u305f|\u65e0\u6cd5|\u5f88\u62b1\u6b49|\uc2e4\ud328\ud588`,
);

/** Reads from the last text of a turn whether the request is done, has failed, or waits for the user's answer. */
export function closingTone(text: string): ClosingTone {
  const words = text.trim();
  const opening = words.slice(0, start).toLowerCase();
  if (finished.test(opening)) return 'done';
  if (failed.test(opening)) return 'failed';
  return isQuestion(words.slice(-end)) ? 'asks' : 'tells';
}
