import { type Message, validateTranscript } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import type { Codec, Decoded, EditedMessages } from '../codec.ts';

/** The conversation part of a chat-completions request, which is the format of core. */
export interface OpenaiChatConversation {
  readonly messages: readonly Message[];
}

/** Codec for OpenAI chat completions and compatible APIs. Messages are not converted. */
export const openaiChat: Codec<OpenaiChatConversation> = {
  name: 'openaiChat',
  dialect: 'openai',
  decode<Native extends OpenaiChatConversation>(native: Native): Decoded<Native> {
    checkMessages(native.messages);
    return { native, messages: native.messages, origins: native.messages.map((_, index) => ({ pieces: [{ index }] })) };
  },
  encode<Native extends OpenaiChatConversation>({ native }: Decoded<Native>, { messages }: EditedMessages): Native {
    const edited =
      messages.length !== native.messages.length || messages.some((message, at) => message !== native.messages[at]);
    return edited ? { ...native, messages } : native;
  },
  validate: ({ messages }) => validateTranscript(messages).map(({ index, rule, reason }) => ({ index, rule, reason })),
  fromMessages: (messages) => ({ messages }),
};
