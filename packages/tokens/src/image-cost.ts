import type { BinaryCost } from './binary-content.ts';
import { type HeaderReader, imageDimensions } from './image-dimensions.ts';
import { flatTokens, type ImageProfile, type ImageRule, imageTokens } from './image-formulas.ts';
import { loadPeer } from './load-peer.ts';

/**
 * Makes the `binaryCost` of a counter: pictures by their size as their header tells it, everything else (links, file
 * ids, documents, damaged headers) flat 1,600 tokens.
 * @param rule a provider's rule, or its name
 * @throws PalimpsestError `DEPENDENCY_MISSING` without the package `image-size`
 *
 * @example
 * const counter = createTokenCounter({ encoding: 'claude', binaryCost: await loadImageCost('anthropic') });
 */
export async function loadImageCost(rule: ImageRule | ImageProfile): Promise<BinaryCost> {
  const { imageSize } = await loadPeer('image-size', 'Pricing images by their size', () => import('image-size'));
  return imageCost(rule, imageSize);
}

/** The same, synchronously, with a header reader of your own. */
export function imageCost(rule: ImageRule | ImageProfile, read: HeaderReader): BinaryCost {
  return (binary) => {
    if (binary.mediaType && !binary.mediaType.startsWith('image/') && !binary.mediaType.startsWith('application/octet'))
      return flatTokens;
    // A tile-billed picture in low detail costs its base, known size or not.
    const size =
      imageDimensions(binary, read) ??
      (binary.detail === 'low' && profileOf(rule) === 'openai-tile' ? unknownSize : null);
    return size
      ? imageTokens(rule, size, binary.detail)
      : rule === 'flat' || profileOf(rule) === 'flat'
        ? imageTokens(rule, unknownSize)
        : flatTokens;
  };
}

const unknownSize = { width: 1, height: 1 };
const profileOf = (rule: ImageRule | ImageProfile): ImageProfile => (typeof rule === 'string' ? rule : rule.profile);
