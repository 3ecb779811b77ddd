/** Prepares a text for comparison: lower case, single spaces, no quotation or list marks. */
export function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_>"'\u2018\u2019\u201c\u201d\u00ab\u00bb]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
