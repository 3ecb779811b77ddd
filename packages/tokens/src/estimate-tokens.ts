import type { Encoding } from './encoding.ts';

export interface EstimateOptions {
  /** Whose tokens are estimated. @default 'o200k_base' */
  readonly encoding?: Encoding | undefined;
}

/** Tokens of a text, estimated in one pass without a vocabulary. Never throws, never `NaN`. */
export function estimateTokens(text: string, options: EstimateOptions = {}): number {
  if (typeof text !== 'string') return 0;
  let tokens = 0;
  let previous = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const letter = (code | 32) >= 97 && (code | 32) <= 122;
    const kind = letter ? 1 : code >= 48 && code <= 57 ? 2 : code <= 32 ? 3 : code < 128 ? 4 : code < 0x800 ? 5 : 6;
    run = kind === previous ? run + 1 : 0;
    if (kind === 1) tokens += run === 0 ? 0.85 : run > 5 ? 0.12 : 0.02;
    else if (kind === 2) tokens += run % 3 === 0 ? 1 : 0;
    else if (kind === 3) tokens += run === 0 ? 0.1 : 0.02;
    else if (kind === 4) tokens += run === 0 ? 0.8 : 0.3;
    else tokens += kind === 5 ? 0.4 : 0.8;
    previous = kind;
  }
  return Math.ceil(tokens * (options.encoding === 'claude' ? 1.25 : 1));
}
