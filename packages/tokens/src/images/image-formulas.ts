import { PalimpsestError } from '@palimpsest/core';

/** Width and height of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** How a provider bills images. All fields except `profile` default to the values of the provider's best-known model. */
export type ImageRule =
  /** Patches of 28 pixels. Models from Claude Opus 4.7 on use `high` resolution. Default: resolution 'standard'. */
  | { readonly profile: 'anthropic'; readonly resolution?: 'standard' | 'high' | undefined }
  /** Area over 750: Claude models before 4.5. */
  | { readonly profile: 'anthropic-legacy' }
  /** Tiles of 512 pixels. Default: base 85 and tile 170, as gpt-4o. */
  | { readonly profile: 'openai-tile'; readonly base?: number | undefined; readonly tile?: number | undefined }
  /** Patches of 32 pixels, at most 1,536, times a factor. Default: multiplier 1. */
  | { readonly profile: 'openai-patch'; readonly multiplier?: number | undefined }
  /** Crops and one overview, 258 tokens each: Gemini 2.0. */
  | { readonly profile: 'gemini-2' }
  /** A budget of tokens that is filled depending on the aspect ratio. Default: budget 1120. */
  | { readonly profile: 'gemini-3'; readonly budget?: 280 | 560 | 1120 | 2240 | undefined }
  /** The same cost for every image. Default: tokens 1600. */
  | { readonly profile: 'flat'; readonly tokens?: number | undefined };

/** The names of the rules. */
export type ImageProfile = ImageRule['profile'];

// A record, so that a missing profile is a compile error.
const profiles: Readonly<Record<ImageProfile, true>> = {
  anthropic: true,
  'anthropic-legacy': true,
  'openai-tile': true,
  'openai-patch': true,
  'gemini-2': true,
  'gemini-3': true,
  flat: true,
};

/**
 * Returns an image rule, given the rule itself or its name.
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown profile; the message lists the known ones
 */
export function imageRule(given: ImageRule | ImageProfile): ImageRule {
  const rule = (typeof given === 'string' ? { profile: given } : given) as ImageRule;
  if (Object.hasOwn(profiles, String(rule?.profile))) return rule;
  const found = typeof given === 'string' ? `"${given}"` : JSON.stringify(rule?.profile);
  const message = `The image profile is ${found}; known profiles: ${Object.keys(profiles).join(', ')}. Pass the name, or { profile, ... }.`;
  throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['profile'], message }] });
}

/** Flat cost, in tokens, of content to which no formula applies. */
export const flatTokens = 1600;

/**
 * Computes the tokens of an image of known size.
 *
 * Sources: Anthropic and OpenAI document their rules (platform.claude.com "Vision", platform.openai.com "Images and
 * vision"). Where bills differ from the documentation, the formulas follow the bills: for the factor of gpt-5-mini,
 * and for all Gemini figures except the 258 tokens of small images.
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown profile
 * @param detail with `low` and tile billing (OpenAI), the cost is the base for every size
 */
export function imageTokens(rule: ImageRule | ImageProfile, size: ImageSize, detail?: string): number {
  const given = imageRule(rule);
  if (given.profile === 'flat') return given.tokens ?? flatTokens;
  const { width, height } = size;
  if (!(width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height))) return flatTokens;
  switch (given.profile) {
    case 'anthropic':
      return given.resolution === 'high' ? claudePatches(size, 2576, 4784) : claudePatches(size, 1568, 1568);
    case 'anthropic-legacy': {
      const { width: w, height: h } = fit(size, 1568);
      // According to the documentation, larger images are scaled down to about this cost.
      return Math.min(1600, Math.ceil((w * h) / 750));
    }
    case 'openai-tile': {
      const { base = 85, tile = 170 } = given;
      return detail === 'low' ? base : base + tile * openaiTiles(size);
    }
    case 'openai-patch':
      return Math.round(openaiPatches(size) * (given.multiplier ?? 1));
    case 'gemini-2': {
      if (width <= 384 && height <= 384) return 258;
      const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
      return (Math.ceil(width / unit) * Math.ceil(height / unit) + 1) * 258;
    }
    case 'gemini-3': {
      const budget = given.budget ?? 1120;
      const columns = Math.max(1, Math.floor(Math.sqrt((budget * width) / height)));
      const rows = Math.max(1, Math.floor(Math.sqrt((budget * height) / width)));
      return Math.min(budget, columns * rows);
    }
  }
}

/** Scales a size down in proportion until neither side is longer than `edge`. */
function fit({ width, height }: ImageSize, edge: number): ImageSize {
  const scale = Math.min(1, edge / Math.max(width, height));
  return { width: width * scale, height: height * scale };
}

function claudePatches(size: ImageSize, edge: number, cap: number): number {
  const fitted = fit(size, edge);
  const patches = (scale: number): number =>
    Math.ceil((fitted.width * scale) / 28) * Math.ceil((fitted.height * scale) / 28);
  if (patches(1) <= cap) return patches(1);
  // Finds the largest scale within the cap by bisection. 30 steps are more precise than a thousandth of a pixel.
  let low = 0;
  let high = 1;
  for (let round = 0; round < 30; round++) {
    const middle = (low + high) / 2;
    if (patches(middle) <= cap) low = middle;
    else high = middle;
  }
  return low === 0 ? cap : patches(low);
}

function openaiTiles(size: ImageSize): number {
  const fitted = fit(size, 2048);
  const width = Math.max(1, Math.round(fitted.width));
  const height = Math.max(1, Math.round(fitted.height));
  const scale = Math.min(1, 768 / Math.min(width, height));
  return Math.ceil(Math.round(width * scale) / 512) * Math.ceil(Math.round(height * scale) / 512);
}

function openaiPatches(size: ImageSize): number {
  const cap = 1536;
  const all = Math.ceil(size.width / 32) * Math.ceil(size.height / 32);
  if (all <= cap) return all;
  // Measured: 4000 x 1474 is billed the full cap, which is only the case if it is scaled to 2,048 first.
  const { width, height } = fit(size, 2048);
  const patches = Math.ceil(width / 32) * Math.ceil(height / 32);
  if (patches <= cap) return patches;
  const shrink = Math.sqrt((cap * 32 * 32) / (width * height));
  const columns = (width * shrink) / 32;
  const rows = (height * shrink) / 32;
  const whole = Math.min(Math.floor(columns) / columns, Math.floor(rows) / rows);
  // The subtraction prevents rounding errors from adding a patch.
  return Math.min(cap, Math.ceil(columns * whole - 1e-9) * Math.ceil(rows * whole - 1e-9));
}
