import type { BinaryContent } from './binary-content.ts';
import type { ImageSize } from './image-formulas.ts';

/** Reads width and height out of a picture's first bytes; throws when it cannot. That of the package `image-size`. */
export type HeaderReader = (bytes: Uint8Array) => {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
};

/**
 * Prefixes tried in turn, in bytes: the header of all but some JPEGs, then room for a JPEG's colour profile, thumbnail
 * and notes before its size.
 */
const prefixes = [3 * 512, 3 * 16_384, 3 * 131_072];
/** No format here can say more; what does is damaged or made up. */
const longestSide = 65_535;
/** Pixels a picture may always claim, and pixels more per byte: blank pictures really pack 700 to 8,000 into one. */
const freePixels = 50_000_000;
const pixelsPerByte = 30_000;

/** Width and height by the picture's own header; `null` when it is missing, damaged or not to be believed. Never throws. */
export function imageDimensions(binary: BinaryContent, read: HeaderReader): ImageSize | null {
  const base64 = binary.bytes ? null : base64Start(binary.source);
  if (!binary.bytes && base64 === null) return null;
  const total = binary.bytes?.length ?? ((binary.source.length - base64!) * 3) / 4;
  for (const length of prefixes) {
    const bytes = binary.bytes ? binary.bytes.subarray(0, length) : decode(binary.source, base64!, length);
    if (!bytes || !isPicture(bytes)) return null;
    try {
      const { width = 0, height = 0 } = read(bytes);
      return isBelievable(width, height, total) ? { width, height } : null;
    } catch {
      // Not in this prefix; perhaps in a longer one.
    }
    if (bytes.length >= total - 3) return null;
  }
  return null;
}

function isBelievable(width: number, height: number, bytes: number): boolean {
  if (!(width >= 1 && height >= 1 && width <= longestSide && height <= longestSide)) return false;
  return width * height <= freePixels + pixelsPerByte * bytes;
}

/** Where base64 begins in a data URL or bare base64; `null` for links and the like. */
function base64Start(source: string): number | null {
  if (source.startsWith('data:')) {
    const comma = source.indexOf(',');
    return comma > 0 && comma < 300 && /;base64$/i.test(source.slice(0, comma)) ? comma + 1 : null;
  }
  return /^[A-Za-z0-9+/_\\-]{16}/.test(source) ? 0 : null;
}

/** Decodes about `length` bytes from `start` on; line breaks and JSON's escapes are passed over. */
function decode(source: string, start: number, length: number): Uint8Array | null {
  const slice = source
    .slice(start, start + (length / 3) * 4 + 256)
    .replace(/[\s\\]+/g, '')
    .replace(/-/g, '+')
    .replace(/_/g, '/');
  const whole = slice.slice(0, Math.min((length / 3) * 4, slice.length - (slice.length % 4)));
  try {
    return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** PNG, JPEG, GIF, RIFF (WebP), BMP, or a box format (AVIF, HEIC): what a vision model takes. */
function isPicture(bytes: Uint8Array): boolean {
  const [a, b, c, d] = bytes;
  return (
    (a === 0x89 && b === 0x50) ||
    (a === 0xff && b === 0xd8) ||
    (a === 0x47 && b === 0x49 && c === 0x46) ||
    (a === 0x52 && b === 0x49 && c === 0x46 && d === 0x46) ||
    (a === 0x42 && b === 0x4d) ||
    (bytes[4] === 0x66 && bytes[5] === 0x74 && bytes[6] === 0x79 && bytes[7] === 0x70)
  );
}
