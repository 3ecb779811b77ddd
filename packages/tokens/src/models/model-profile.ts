import type { Envelope } from '../counter/envelope.ts';
import type { Encoding } from '../encoding.ts';
import type { ImageRule } from '../images/image-formulas.ts';
import { readModelName } from './model-name.ts';

/** Settings for counting the tokens of a model. */
export interface ModelProfile {
  readonly encoding: Encoding;
  readonly images: ImageRule;
  /** Where the model's envelope differs from that of its encoding; pass it to the counter. */
  readonly envelope: Partial<Envelope>;
}

/**
 * Returns the settings for counting the tokens of a model, by its name. Unknown names get `o200k_base` and flat image costs.
 *
 * @example
 * const { encoding, envelope } = modelProfile('claude-sonnet-4-6');
 * const counter = createTokenCounter({ encoding, envelope, countText: myTokenizer });
 */
export function modelProfile(model: string): ModelProfile {
  const { name, family, version } = readModelName(model);
  if (family === 'claude') {
    // From Opus 4.7 on, Claude accepts larger images and has a different tokenizer.
    const recent = version >= 4.7;
    return {
      encoding: recent ? 'claude-4.7' : 'claude',
      images:
        version >= 4.5
          ? { profile: 'anthropic', resolution: recent ? 'high' : 'standard' }
          : { profile: 'anthropic-legacy' },
      envelope: claudeEnvelope(name, version),
    };
  }
  if (family === 'openai') {
    return {
      encoding: /^gpt-(?:4(?!-?o|-[15](?!\d))|3)/.test(name) ? 'cl100k_base' : 'o200k_base',
      images: openaiImages(name),
      envelope: {},
    };
  }
  if (family === 'gemini') {
    return { encoding: 'o200k_base', images: geminiImages(version), envelope: {} };
  }
  return { encoding: 'o200k_base', images: { profile: 'flat' }, envelope: {} };
}

/** Envelope of a Claude model. Measured: the tool instructions are shorter in all models except Claude 4.5 and 4.6. */
function claudeEnvelope(name: string, version: number): Partial<Envelope> {
  if (version > 0 && version < 4.5) return { tools: 330 };
  return version >= 4.7 || name.startsWith('claude-haiku') ? { tools: 300 } : {};
}

function openaiImages(name: string): ImageRule {
  if (/^gpt-4o-mini/.test(name)) return { profile: 'openai-tile', base: 2833, tile: 5667 };
  if (/^gpt-4-1-mini/.test(name)) return { profile: 'openai-patch', multiplier: 1.62 };
  if (/^gpt-4-1-nano/.test(name)) return { profile: 'openai-patch', multiplier: 2.46 };
  if (/^o4-mini/.test(name)) return { profile: 'openai-patch', multiplier: 1.72 };
  if (/^gpt-5.*-mini/.test(name)) return { profile: 'openai-patch', multiplier: 1.2 };
  if (/^gpt-5.*-nano/.test(name)) return { profile: 'openai-patch', multiplier: 1.5 };
  if (/^o3/.test(name)) return { profile: 'openai-tile', base: 75, tile: 150 };
  if (/^(?:gpt-5|o1)/.test(name)) return { profile: 'openai-tile', base: 70, tile: 140 };
  return { profile: 'openai-tile', base: 85, tile: 170 };
}

function geminiImages(version: number): ImageRule {
  if (version >= 3) return { profile: 'gemini-3' };
  // Measured on 2.5 Flash and documented for 1.5: every image costs 258.
  return version === 2 ? { profile: 'gemini-2' } : { profile: 'flat', tokens: 258 };
}
