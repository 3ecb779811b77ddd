/** The smallest byte strings with a size in their header, one per format, written by hand from the specifications. */

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const big = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);
const little = (value: number, bytes: number): number[] => big(value, bytes).reverse();

export function pngBytes(width: number, height: number): Uint8Array {
  const header = [...big(13, 4), ...ascii('IHDR'), ...big(width, 4), ...big(height, 4), 8, 2, 0, 0, 0, ...big(0, 4)];
  return Uint8Array.from([
    0x89,
    ...ascii('PNG\r\n'),
    0x1a,
    0x0a,
    ...header,
    ...big(0, 4),
    ...ascii('IEND'),
    ...big(0, 4),
  ]);
}

/** @param notes number of bytes of metadata before the size, such as cameras and editors write */
export function jpegBytes(width: number, height: number, notes = 14): Uint8Array {
  const segments: number[] = [];
  for (let left = notes; left > 0; left -= 60_000) {
    const length = Math.min(left, 60_000);
    segments.push(0xff, 0xe0, ...big(length + 2, 2), ...new Array<number>(length).fill(0));
  }
  const frame = [
    0xff,
    0xc0,
    ...big(17, 2),
    8,
    ...big(height, 2),
    ...big(width, 2),
    3,
    1,
    0x22,
    0,
    2,
    0x11,
    1,
    3,
    0x11,
    1,
  ];
  return Uint8Array.from([0xff, 0xd8, ...segments, ...frame, 0xff, 0xd9]);
}

export const gifBytes = (width: number, height: number): Uint8Array =>
  Uint8Array.from([...ascii('GIF89a'), ...little(width, 2), ...little(height, 2), 0, 0, 0, 0x3b]);

export function webpBytes(width: number, height: number): Uint8Array {
  const frame = [0x10, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)];
  const chunk = [...ascii('VP8X'), ...little(10, 4), ...frame];
  return Uint8Array.from([...ascii('RIFF'), ...little(chunk.length + 4, 4), ...ascii('WEBP'), ...chunk]);
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
export const dataUrl = (bytes: Uint8Array, mediaType: string): string => `data:${mediaType};base64,${base64(bytes)}`;
