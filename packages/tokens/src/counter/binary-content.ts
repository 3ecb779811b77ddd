/** An image, document or other binary. Providers do not bill it by the length of its encoded text. */
export interface BinaryContent {
  /** A data URL, a link, or bare base64; empty if the part has only a reference such as a file id. */
  readonly source: string;
  /** Media type such as `image/png`, if the part has one. */
  readonly mediaType?: string | undefined;
  /** OpenAI's `detail` (`low`, `high`, `auto`, `original`), if the part has one. */
  readonly detail?: string | undefined;
  /** Raw bytes, if the part has those instead of text. */
  readonly bytes?: Uint8Array | undefined;
}

/** Returns the cost of one binary in tokens. Must not throw. `@palimpsest/tokens/images` creates one per provider. */
export type BinaryCost = (binary: BinaryContent) => number;

/**
 * Assumed cost of an image of unknown size, in tokens. Close to the cap of a standard-resolution Claude model (1,568) and
 * above most tile-based costs, so that budgets err on the safe side.
 */
const flatImageTokens = 1600;

/** The default cost: every binary costs 1,600 tokens. */
export const flatBinaryCost: BinaryCost = () => flatImageTokens;

/**
 * Reads the binary of a typed part in any common format: OpenAI's `image_url`, `file` and `input_audio`,
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
