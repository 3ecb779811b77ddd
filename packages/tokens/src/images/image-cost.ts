import type { BinaryCost } from '../counter/binary-content.ts';
import { loadPeer } from '../load-peer.ts';
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
  const { imageSize } = await loadPeer('image-size', 'Pricing images by their size', () => import('image-size'));
  return imageCost(rule, imageSize);
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
