/** Part of the end mark of other systems' handoffs. Without its dashes, which are frequent and slow down a search. */
const summaryEnd = 'END OF CONTEXT SUMMARY';
/**
 * Control tokens that begin and end turns in chat templates: with bars, also full-width ones, such as `<|im_start|>`,
 * and without, such as `<start_of_turn>`, `<<SYS>>` and `[INST]`. Also the begin and end marks of our and other
 * systems' handoffs.
 */
const marks: RegExp = new RegExp(
  [
    String.raw`<[|\uff5c][^|\uff5c<>\s]{1,64}[|\uff5c]>`,
    String.raw`<(?:\|[\w-]{1,32}|[\w-]{1,32}\|)>`,
    '<(?:start|end)_of_turn>',
    '</?(?:s|bos|eos|sop|eop)>',
    String.raw`<extra_id_\d{1,3}>`,
    '<</?SYS>>',
    String.raw`\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|CALL_ID|ARGS|gMASK)\]`,
    String.raw`\[\|[\w-]{1,32}\|\]`,
    String.raw`\[(?:END OF )?(?:PRIOR )?CONTEXT(?: HANDOFF| SUMMARY| COMPACTION|[ \t]{1,4}\u2014)`,
    `--- ${summaryEnd}`,
  ].join('|'),
  'g',
);

/**
 * Defuses chat template and handoff marks by inserting a space after their first character, so that they cannot end a
 * turn or a handoff. Use it on quoted or model-written text. Never use it on a user's task, which must stay
 * verbatim. Linear time, idempotent.
 */
export function breakMarks(text: string): string {
  // Every mark begins with one of these. Most texts have none, and searching for them is much faster.
  if (!text.includes('<') && !text.includes('[') && !text.includes(summaryEnd)) return text;
  return text.replace(marks, (mark) => `${mark[0]} ${mark.slice(1)}`);
}
