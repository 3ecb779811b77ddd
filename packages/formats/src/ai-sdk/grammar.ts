import { type Content, contentText, isTextPart, type Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { PartPool } from '../content.ts';
import type { BlockKind, Grammar } from '../grammar.ts';
import { type Fields, fieldsOf } from '../record.ts';
import { viewPart } from './media.ts';
import { contentParts, inputOf, outputParts } from './write.ts';

/** Kinds of the parts of one message. A call with its result in the same message was run by the provider: content. */
function kindsOf(parts: readonly Part[]): readonly BlockKind[] {
  const inTool = parts.every(({ type }) => type === 'tool-result' || type === 'tool-approval-response');
  const answered = new Set(parts.filter(({ type }) => type === 'tool-result').map((part) => fieldsOf(part).toolCallId));
  return parts.map((part) => {
    const { providerExecuted, toolCallId } = fieldsOf(part);
    switch (part.type) {
      case 'tool-call':
        return providerExecuted === true || answered.has(toolCallId) ? 'said' : 'call';
      case 'tool-result':
        return inTool ? 'result' : 'said';
      case 'reasoning':
      case 'reasoning-file':
        return 'thought';
      case 'tool-approval-request':
      case 'tool-approval-response':
        return 'aside';
      default:
        return 'said';
    }
  });
}

export const aiSdkGrammar: Grammar = {
  kindsOf,
  contentBlocks: contentParts,
  poolOf: (parts) => new PartPool(parts, viewPart),
  withInput: (call, written) =>
    ({ ...call, input: typeof fieldsOf(call).input === 'string' ? written : inputOf(written) }) as Part,
  withContent: (result, content) => ({ ...result, output: rewriteOutput(fieldsOf(result).output, content) }) as Part,
};

/** Rewrites the text of an output. A denial stays a denial, and an error stays an error if its new content is only text. */
function rewriteOutput(output: unknown, content: Content): unknown {
  const old: Fields = isRecord(output) ? output : {};
  const marks = 'providerOptions' in old ? { providerOptions: old.providerOptions } : {};
  if (old.type === 'execution-denied') return { ...old, reason: contentText(content) };
  const isError = String(old.type).startsWith('error');
  if (typeof content !== 'string' && !(isError && content?.every(isTextPart))) {
    const pool = new PartPool(Array.isArray(old.value) ? (old.value as readonly Part[]) : [], viewPart);
    return { type: 'content', value: outputParts(content, pool), ...marks };
  }
  return { type: isError ? 'error-text' : 'text', value: contentText(content), ...marks };
}
