import type { WireFormat } from '@palimpsest/formats/wire';
import { anthropicFormat } from './anthropic-format.ts';
import { chatFormat } from './chat-format.ts';
import type { RecallFormat } from './recall-format.ts';
import { responsesFormat } from './responses-format.ts';

export const recallFormats: Readonly<Record<WireFormat, RecallFormat>> = {
  'openai-chat': chatFormat,
  'openai-responses': responsesFormat,
  anthropic: anthropicFormat,
};
