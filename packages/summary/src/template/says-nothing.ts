/** Phrases for a section without content, in the languages most summaries are written in. */
const nothing: ReadonlySet<string> = new Set([
  ...['none', 'na', 'n a', 'nil', 'null', 'nothing', 'empty', 'unknown', 'unspecified', 'tbd', 'no data'],
  ...['not applicable', 'not available', 'not specified', 'not mentioned', 'nothing to say', 'nothing to report'],
  ...['nothing to note', 'nothing yet', 'none yet', 'none so far', 'none noted', 'none identified', 'none mentioned'],
  ...['none recorded', 'none at this time', 'no information', 'no content', 'to be determined'],
  ...['keine', 'keiner', 'keines', 'nichts', 'entfällt', 'keine angabe', 'k a', 'nicht zutreffend'],
  ...['aucun', 'aucune', 'néant', 'rien', 'non applicable', 'ninguno', 'ninguna', 'nada', 'no aplica'],
  ...['nessuno', 'nessuna', 'niente', 'nenhum', 'nenhuma', 'geen', 'niets', 'brak', 'нет', 'ничего', 'отсутствует'],
  ...['なし', '特になし', 'ありません', '無し', '无', '無', '没有', '沒有', '暂无', '없음', '없습니다', '해당 없음'],
]);
/** A longer line counts as content. Characters. */
const maxLineLength = 60;

/** True for a section without content: blank, only punctuation, or only phrases such as "None". Linear time. */
export function saysNothing(text: string): boolean {
  return text.split('\n').every((line) => {
    if (line.trim() === '') return true;
    if (line.length > maxLineLength) return false;
    const words = line
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    return words === '' || nothing.has(words);
  });
}
