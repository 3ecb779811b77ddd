import type { Message, Provenance } from '@palimpsest/core';
import {
  type AiSdkConversation,
  type AnthropicConversation,
  aiSdk,
  anthropic,
  type BedrockConversation,
  bedrock,
  type Codec,
  type GeminiConversation,
  gemini,
  type OllamaConversation,
  type OpenaiChatConversation,
  ollama,
  openaiChat,
  openaiResponses,
  type PiConversation,
  pi,
  type ResponsesConversation,
  type ShareGptConversation,
  shareGpt,
} from '../src/index.ts';

/** A conversation of any dialect. */
export type AnyConversation = AnthropicConversation &
  ResponsesConversation &
  AiSdkConversation &
  ShareGptConversation &
  PiConversation &
  OpenaiChatConversation &
  GeminiConversation &
  BedrockConversation &
  OllamaConversation;

export const codecs: readonly Codec<AnyConversation>[] = [
  anthropic,
  openaiResponses,
  aiSdk,
  shareGpt,
  openaiChat,
  pi,
  gemini,
  bedrock,
  ollama,
] as unknown as readonly Codec<AnyConversation>[];

/** The result of `apply` for an empty plan, with a new array. */
export function untouched(messages: readonly Message[]): { messages: readonly Message[]; provenance: Provenance } {
  return {
    messages: [...messages],
    provenance: {
      output: messages.map((_, from) => ({ kind: 'original', from })),
      source: messages.map((_, at) => ({ kind: 'kept', at })),
    },
  };
}

/** Returns the native messages of a conversation in any format. */
export function nativesOf(native: AnyConversation): readonly object[] {
  return (native.messages ?? native.conversations ?? native.input ?? native.contents) as readonly object[];
}

/** Returns all blocks, parts or items. */
export function blocksOf(native: AnyConversation): readonly unknown[] {
  return nativesOf(native).flatMap((message) => {
    const { content, parts = content } = message as { content?: unknown; parts?: unknown };
    return Array.isArray(parts) ? (parts as unknown[]) : [message];
  });
}

export function rulesOf(violations: readonly { readonly rule: string }[]): string[] {
  return violations.map(({ rule }) => rule).sort();
}
