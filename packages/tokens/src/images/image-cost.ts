import type { BinaryCost } from '../counter/binary-content.ts';
import { createTokenCounter } from '../counter/token-counter.ts';
import { loadPeer } from '../load-peer.ts';
import type { ModelCounter } from '../models/model-counter.ts';
import { modelProfile } from '../models/model-profile.ts';
import { type HeaderReader, imageDimensions } from './image-dimensions.ts';
import { flatTokens, type ImageProfile, type ImageRule, imageRule, imageTokens } from './image-formulas.ts';

/**
 * Creates the `binaryCost` of a counter. Images are priced by the size in their header. Documents cost a flat 1,600 tokens,
 * and so do images of unknown size (links, file ids, damaged headers), unless their price does not depend on the size.
 * @param rule a provider's rule, or its name
 * @throws {PalimpsestError} `DEPENDENCY_MISSING` without `image-size`; `OPTION_INVALID` for an unknown profile
 *
 * @example
 * const counter = createTokenCounter({ encoding: 'claude', binaryCost: await loadImageCost('anthropic') });
 */
export async function loadImageCost(rule: ImageRule | ImageProfile): Promise<BinaryCost> {
  return imageCost(rule, await loadReader());
}

/**
 * Loads what counts for any model: its tokenizer, what it adds around messages and tools, and its images by their size.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING` without `image-size`
 *
 * @example
 * const counter = (await loadModelCounter())('claude-sonnet-4-6');
 */
export async function loadModelCounter(): Promise<ModelCounter> {
  const read = await loadReader();
  return (model) => {
    const { encoding, envelope, images } = modelProfile(model);
    return createTokenCounter({ encoding, envelope, binaryCost: imageCost(images, read) });
  };
}

/** Only the formats that models accept are loaded: the whole library is three times as large. */
async function loadReader(): Promise<HeaderReader> {
  const [{ PNG }, { JPG }, { GIF }, { WEBP }, { BMP }, { HEIF }] = await loadPeer(
    'image-size',
    'Pricing images by their size',
    () =>
      Promise.all([
        import('image-size/types/png'),
        import('image-size/types/jpg'),
        import('image-size/types/gif'),
        import('image-size/types/webp'),
        import('image-size/types/bmp'),
        import('image-size/types/heif'),
      ]),
  );
  return (bytes) => {
    const size = [PNG, JPG, GIF, WEBP, BMP, HEIF].find((format) => format.validate(bytes))?.calculate(bytes);
    const [largest] = (size?.images ?? []).toSorted((a, b) => b.width * b.height - a.width * a.height);
    return largest ?? size ?? {};
  };
}

/**
 * Synchronous version of {@link loadImageCost}, with your own header reader.
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown profile
 */
export function imageCost(given: ImageRule | ImageProfile, read: HeaderReader): BinaryCost {
  const rule = imageRule(given);
  return (binary) => {
    if (binary.mediaType && !binary.mediaType.startsWith('image/') && !binary.mediaType.startsWith('application/octet'))
      return flatTokens;
    // With tile billing, the cost in low detail does not depend on the size.
    const size =
      imageDimensions(binary, read) ?? (binary.detail === 'low' && rule.profile === 'openai-tile' ? unknownSize : null);
    return size
      ? imageTokens(rule, size, binary.detail)
      : rule.profile === 'flat'
        ? imageTokens(rule, unknownSize)
        : flatTokens;
  };
}

const unknownSize = { width: 1, height: 1 };
