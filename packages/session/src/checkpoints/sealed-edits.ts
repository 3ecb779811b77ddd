import { type Edit, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { addTexts, baseText, type SealedText, sealText, unsealText } from '../conversation/sealed-text.ts';
import { restoreSources, storeSources } from './stored-sources.ts';

/**
 * Seals a plan for storage: what it copies from the conversation is stored as references, and a secret is not stored at all. Other
 * parts of the state, such as an engine's last summary, do contain words of the user.
 * @param messages the messages the plan covers
 * @param redact masks secrets; if it changes a piece that is not in the conversation, the plan contains a secret
 * @returns `null` when the plan cannot be stored without a secret
 */
export function sealEdits(
  edits: readonly Edit[],
  messages: readonly Message[],
  redact: (text: string) => string,
): SealedText | null {
  return sealText(jsonText(storeSources(edits)), textOf(messages), redact);
}

/** Restores a sealed plan with its conversation; `null` when it is damaged or belongs to another conversation. */
export function unsealEdits(sealed: SealedText, messages: readonly Message[]): Edit[] | null {
  const plan = unsealText(sealed, textOf(messages));
  try {
    return plan === null ? null : restoreSources(JSON.parse(plan));
  } catch {
    return null;
  }
}

/** All text of the messages that their fingerprint covers. */
function textOf(messages: readonly Message[]): string {
  const texts: string[] = [];
  for (const message of messages) {
    const { content } = message;
    if (typeof content === 'string') texts.push(content);
    // Includes picture data, which is the longest.
    else if (Array.isArray(content)) addTexts(content, texts);
    for (const call of toolCalls(message)) texts.push(call.id, toolCallInput(call));
    if (message.function_call) texts.push(message.function_call.arguments ?? '');
  }
  return baseText(texts);
}
