/**
 * The conversation part of a `generateContent` request of the Gemini API. Structurally typed: `contents` may be the
 * `Content[]` of `@google/genai`.
 */
export interface GeminiConversation {
  /** The system prompt. */
  readonly systemInstruction?: GeminiContent | undefined;
  readonly contents: readonly GeminiContent[];
}

/** A `Content`. Without a role, it is the user's. */
export interface GeminiContent {
  readonly role?: string | undefined;
  readonly parts?: readonly GeminiPart[] | undefined;
}

/** A `Part` of any kind, including unknown ones. The name of its main field is its kind. */
export type GeminiPart = object;

/** True for what the model wrote. */
export function isModel({ role }: GeminiContent): boolean {
  return role === 'model';
}
