import { PalimpsestError } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { aiSdk, anthropic, type Codec, detectFormat, openaiResponses, pi, shareGpt } from '@palimpsest/formats';
import type { DecodedTranscript, WholeFormat } from './transcript-format.ts';

/** A provider's codec, and the request field that holds its messages. */
interface FieldCodec {
  readonly codec: Codec<object>;
  readonly field: 'messages' | 'input' | 'conversations';
}

const codecs: readonly FieldCodec[] = [
  { codec: anthropic as unknown as Codec<object>, field: 'messages' },
  { codec: openaiResponses as unknown as Codec<object>, field: 'input' },
  { codec: aiSdk as unknown as Codec<object>, field: 'messages' },
  { codec: pi as unknown as Codec<object>, field: 'messages' },
  { codec: shareGpt as unknown as Codec<object>, field: 'conversations' },
];

/** The codec that reads a value; `undefined` for chat completions, which need no codec. */
export function codecFor(value: unknown): FieldCodec | undefined {
  const name = detectFormat(value);
  return codecs.find(({ codec }) => codec.name === name);
}

/** Formats with one conversation per JSON value: a request body, or only its messages. */
export const codecFormats: readonly WholeFormat[] = codecs.map((own) => ({
  name: own.codec.name,
  transcriptIn: 'each-value',
  recognizes: (value) => codecFor(value) === own,
  decode: (value) => decodeWith(own, value),
}));

/** @returns the transcript, or what is wrong with the value, phrased to follow the file name */
export function decodeWith({ codec, field }: FieldCodec, value: unknown): DecodedTranscript | string {
  const holder = isRecord(value) ? value : null;
  try {
    const decoded = codec.decode(holder ?? { [field]: value });
    if (decoded.messages.length === 0) return 'it contains no messages';
    return {
      id: typeof holder?.id === 'string' && holder.id !== '' ? holder.id : null,
      messages: decoded.messages,
      tools: Array.isArray(holder?.tools) ? holder.tools : [],
      dialect: codec.dialect,
      encode(messages, provenance) {
        const native = codec.encode(decoded, { messages, provenance });
        return [holder ? native : (native as Readonly<Record<string, unknown>>)[field]];
      },
    };
  } catch (error) {
    return describeInvalid(error);
  }
}

/** What a codec or reader found wrong with a value, without the position: the caller reports file and line. */
export function describeInvalid(error: unknown): string {
  if (!PalimpsestError.is(error) || error.code !== 'MESSAGES_INVALID') throw error;
  return error.message
    .replace(/^Line \d+ |^The conversation /, 'it ')
    .replace(/^Message /, 'message ')
    .replace(/\.$/, '');
}
