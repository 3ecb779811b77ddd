import type { BinaryContent } from '../counter/binary-content.ts';
import type { ImageSize } from './image-formulas.ts';

/** Reads the width and height of an image from its first bytes, like `imageSize` of the package `image-size`. May throw. */
export type HeaderReader = (bytes: Uint8Array) => {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
};

/**
 * Prefixes tried in turn, in bytes. The first contains the size in all formats except some JPEGs, which have a colour
 * profile, thumbnail and metadata before it.
 */
const prefixes = [3 * 512, 3 * 16_384, 3 * 131_072];
/** Longest plausible side in pixels. */
const maxSide = 65_535;
/** Plausible number of pixels: a fixed allowance, plus an amount per byte. Blank images have 700 to 8,000 pixels per byte. */
const freePixels = 50_000_000;
const pixelsPerByte = 30_000;

/** Reads the size of an image from its header; `null` if the header is missing, damaged or implausible. Never throws. */
export function imageDimensions(binary: BinaryContent, read: HeaderReader): ImageSize | null {
  const base64 = binary.bytes ? null : base64Start(binary.source);
  if (!binary.bytes && base64 === null) return null;
  const total = binary.bytes?.length ?? ((binary.source.length - base64!) * 3) / 4;
  for (const length of prefixes) {
    const bytes = binary.bytes ? binary.bytes.subarray(0, length) : decode(binary.source, base64!, length);
    if (!bytes || !isPicture(bytes)) return null;
    try {
      const { width = 0, height = 0 } = read(bytes);
      return isPlausible(width, height, total) ? { width, height } : null;
    } catch {
      // The size may be in a longer prefix.
    }
    if (bytes.length >= total - 3) return null;
  }
  return null;
}

function isPlausible(width: number, height: number, bytes: number): boolean {
  if (!(width >= 1 && height >= 1 && width <= maxSide && height <= maxSide)) return false;
  return width * height <= freePixels + pixelsPerByte * bytes;
}

/** Index where base64 begins in a data URL or bare base64; `null` for other sources such as links. */
function base64Start(source: string): number | null {
  if (source.startsWith('data:')) {
    const comma = source.indexOf(',');
    return comma > 0 && comma < 300 && /;base64$/i.test(source.slice(0, comma)) ? comma + 1 : null;
  }
  return /^[A-Za-z0-9+/_\\-]{16}/.test(source) ? 0 : null;
}

/** Decodes about `length` bytes of base64 from `start`. Skips line breaks and JSON escapes. */
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

/** True for the formats that vision models accept: PNG, JPEG, GIF, RIFF (WebP), BMP and box formats (AVIF, HEIC). */
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
