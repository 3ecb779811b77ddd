import type { Message } from '@palimpsest/core';
import { anthropic, type Codec, openaiChat, openaiResponses } from '@palimpsest/formats';
import type { ConversationRequest } from './read-conversation.ts';

const codecs: Readonly<Record<ConversationRequest['format'], unknown>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
};

/** The messages of a request; `null` for a conversation that cannot be read. */
export function messagesOf({ body, format }: Pick<ConversationRequest, 'body' | 'format'>): readonly Message[] | null {
  try {
    return (codecs[format] as Codec<ConversationRequest['body']>).decode(body).messages;
  } catch {
    return null;
  }
}
