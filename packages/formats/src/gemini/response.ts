import { type Content, isTextPart, type Part } from '@palimpsest/core';
import { isRecord, jsonText } from '@palimpsest/core/authoring';
import { contentOf, type PartPool } from '../content.ts';
import { type Fields, fieldsIn } from '../record.ts';
import { fieldIn, nameIn, viewPart } from './part.ts';

/** Fields of a response in which tools give their text: Google's, those of its SDKs' examples, and the AI SDK's. */
const textFields: readonly string[] = ['output', 'result', 'content', 'error', 'text'];

/** Maximum length of what stands next to the text of a result, such as an exit code, in characters of JSON. */
const maxBeside = 500;

/** The name of the field with the text of a result; `null` if the whole response is the result. */
function textFieldOf(response: Fields): string | null {
  const name = textFields.find((field) => typeof response[field] === 'string');
  if (name === undefined) return null;
  const { [name]: _, ...beside } = response;
  return jsonText(beside).length <= maxBeside ? name : null;
}

/** Reads the content of a `functionResponse`, with its pictures and files. */
export function responseContent(given: Fields): Content {
  const media = mediaIn(given);
  const text = responseText(fieldsIn(given.response));
  if (media.length === 0) return text;
  return contentOf([...(text === '' ? [] : [{ text } as unknown as Part]), ...media], viewPart);
}

/** The pictures and files of a `functionResponse`. */
export function mediaIn({ parts }: Fields): readonly Part[] {
  return Array.isArray(parts) ? (parts.filter(isRecord) as unknown as readonly Part[]) : [];
}

function responseText(response: Fields): string {
  const field = textFieldOf(response);
  if (field !== null) return response[field] as string;
  return Object.keys(response).length === 0 ? '' : jsonText(response);
}

/**
 * Returns a `functionResponse` with another content. Its id, name and other fields stay, and those next to the text.
 * @param write converts content to the API's parts
 */
export function withResponse(
  given: Fields,
  content: Content,
  pool: PartPool,
  write: (content: Content, pool: PartPool) => readonly Part[],
): Fields {
  const { parts: _, ...rest } = given;
  const list: readonly Part[] = Array.isArray(content) ? (content as readonly Part[]) : [];
  const text = typeof content === 'string' ? content : list.flatMap((part) => textIn(part)).join('\n');
  const media = list.filter((part) => !isTextPart(part));
  const response = fieldsIn(given.response);
  const field = textFieldOf(response);
  const parts = write(media, pool);
  return {
    ...rest,
    [nameIn(given, 'response')]: field === null ? { output: text } : { ...response, [field]: text },
    ...(parts.length > 0 && { parts }),
  };
}

function textIn(part: Part): readonly string[] {
  return isTextPart(part) ? [part.text] : [];
}

/** The name of the tool that a `functionResponse` is from. */
export function responseName(given: Fields): string {
  const name = fieldIn(given, 'name');
  return typeof name === 'string' ? name : '';
}
