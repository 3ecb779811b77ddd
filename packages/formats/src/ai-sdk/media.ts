import type { Part } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { standsFor, stripMarks } from '../marks.ts';
import { type Fields, fieldsOf } from '../record.ts';

/** Converts a part for core: all kinds of images get one format, so that engines and counters recognize them. */
export function viewPart(part: Part): Part {
  const fields = fieldsOf(part);
  const isPicture = part.type === 'image-data' || part.type === 'image-url' || hasPicture(part.type, fields);
  if (!isPicture) return stripMarks(part);
  const { mediaType } = fields;
  const view = { type: 'image', image: sourceOf(fields), ...(mediaType !== undefined && { mediaType }) };
  return standsFor(view, part);
}

function hasPicture(type: string, { mediaType }: Fields): boolean {
  const holdsMedia = type === 'file' || type === 'media' || type === 'file-data' || type === 'file-url';
  return holdsMedia && typeof mediaType === 'string' && /^image(?:\/|$)/.test(mediaType);
}

/** Returns the data or URL of an image, which newer versions wrap in an object with a type. */
function sourceOf({ data, url }: Fields): unknown {
  return isRecord(data) && typeof data.type === 'string' ? (data.data ?? data.url) : (data ?? url);
}
