/**
 * Marks with which chat templates begin and end turns, as models know them: `<|im_start|>`, `<|eot_id|>` and others of
 * this shape (Qwen, Llama, Phi, Granite, GLM, gpt-oss), with DeepSeek's wide bars, Gemma's, Llama 2's and Mistral's,
 * EXAONE's. And the marks that begin and end a handoff, ours and those of other systems.
 */
const marks: RegExp = new RegExp(
  [
    String.raw`<[|\uff5c][^|\uff5c<>\s]{1,64}[|\uff5c]>`,
    String.raw`<(?:\|[\w-]{1,32}|[\w-]{1,32}\|)>`,
    String.raw`<(?:start|end)_of_turn>`,
    String.raw`</?(?:s|bos|eos|sop|eop)>`,
    String.raw`<extra_id_\d{1,3}>`,
    String.raw`<</?SYS>>`,
    String.raw`\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|CALL_ID|ARGS|gMASK)\]`,
    String.raw`\[\|[\w-]{1,32}\|\]`,
    String.raw`\[(?:END OF )?(?:PRIOR )?CONTEXT(?: HANDOFF| SUMMARY| COMPACTION|[ \t]{1,4}\u2014)`,
    String.raw`--- END OF CONTEXT SUMMARY`,
  ].join('|'),
  'g',
);

/**
 * The text with every such mark broken by a blank behind its first character: it reads the same and ends nothing. For
 * what is quoted or written by a model; never for what a user asks, which stays as it is. Linear; broken once, a text
 * stays as it is.
 */
export function breakMarks(text: string): string {
  return text.replace(marks, (mark) => `${mark[0]} ${mark.slice(1)}`);
}
