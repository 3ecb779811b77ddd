/** An image, document or other binary that is billed by what it shows, not by how many characters encode it. */
export interface BinaryContent {
  /** A data URL, a link, or bare base64; empty when the part holds only a reference such as a file id. */
  readonly source: string;
  /** Media type when the part or the data URL names one, such as `image/png`. */
  readonly mediaType?: string | undefined;
  /** OpenAI's `detail` (`low`, `high`, `auto`, `original`), when the part carries one. */
  readonly detail?: string | undefined;
  /** Raw bytes, when the part holds those instead of text. */
  readonly bytes?: Uint8Array | undefined;
}

/** What one binary costs, in tokens. `@palimpsest/tokens/images` makes one per provider. Must not throw. */
export type BinaryCost = (binary: BinaryContent) => number;

/**
 * What a picture of unknown size is taken for, in tokens. Close to the cap of a standard-resolution Claude model
 * (1,568) and above most tile-based costs, so that a budget errs on the safe side.
 */
export const flatImageTokens = 1600;

/** The cost used when none is injected: every binary is {@link flatImageTokens}. */
export const flatBinaryCost: BinaryCost = () => flatImageTokens;

/**
 * What a typed part says of its binary, in any of the shapes in use: OpenAI's `image_url`, `file` and `input_audio`,
 * Anthropic's `source`, MCP's `data` with `mimeType`, Gemini's `inlineData`, the AI SDK's `image` and `data`.
 */
export function describeBinary(part: Readonly<Record<string, unknown>>): BinaryContent {
  const nested = nestedFields.map((name) => part[name]).find((value) => value !== undefined && value !== null);
  const all: Readonly<Record<string, unknown>> =
    typeof nested === 'object' && !(nested instanceof Uint8Array) ? { ...part, ...nested } : part;
  const candidates = [nested, all.url, all.data, all.file_data];
  const text = (...values: readonly unknown[]): string | undefined =>
    values.find((value): value is string => typeof value === 'string' && value !== '');
  return {
    source: text(...candidates) ?? (nested instanceof URL ? nested.href : ''),
    bytes: candidates.find((value): value is Uint8Array => value instanceof Uint8Array),
    mediaType: text(all.media_type, all.mediaType, all.mimeType),
    detail: text(all.detail),
  };
}

const nestedFields = ['image_url', 'source', 'file', 'image', 'input_audio', 'inlineData', 'inline_data'];
