import { isRecord } from '@palimpsest/core/authoring';
import { checkRecord, checkTexts, malformationError, type Place } from '../native-error.ts';
import { type TextFields, textsOf } from '../read-message.ts';
import { kindOf } from './item.ts';

const format = 'openaiResponses';

/** Throws if a value is not a conversation of the Responses API. Items are checked separately. */
export function checkConversation(native: unknown): void {
  const place: Place = { format, index: -1 };
  if (!isRecord(native)) throw malformationError(place, '', 'it is not an object with "input"');
  const { input, instructions } = native;
  if (input !== undefined && typeof input !== 'string' && !Array.isArray(input))
    throw malformationError(place, 'input', 'is neither a string nor an array of items');
  if (instructions !== undefined && instructions !== null && typeof instructions !== 'string')
    throw malformationError(place, 'instructions', 'is not a string');
}

const roles: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);

/** Fields that must be strings, by the type of their item. */
const texts: TextFields = {
  function_call: ['call_id', 'name', 'arguments'],
  custom_tool_call: ['call_id', 'name', 'input'],
  shell_call: ['call_id'],
  apply_patch_call: ['call_id'],
  computer_call: ['call_id'],
  mcp_approval_request: ['id', 'name', 'arguments'],
  function_call_output: ['call_id'],
  custom_tool_call_output: ['call_id'],
  shell_call_output: ['call_id'],
  apply_patch_call_output: ['call_id'],
  computer_call_output: ['call_id'],
  mcp_approval_response: ['approval_request_id'],
};

export function checkItem(item: unknown, index: number): void {
  checkItemAt(item, { format, index }, '');
}

/** Throws if a value is not a valid item. @param path prefix of field names in errors, such as `payload.` */
export function checkItemAt(item: unknown, place: Place, path: string): void {
  checkRecord(item, place, path.slice(0, -1));
  const { type, role, content, output } = item;
  if (type !== undefined && type !== null && typeof type !== 'string')
    throw malformationError(place, `${path}type`, 'is not a string');
  checkTexts(item, textsOf(texts, type), place, path);
  const kind = kindOf(item);
  if (kind === 'message') {
    if (!roles.has(role)) throw malformationError(place, `${path}role`, 'is not user, assistant, system or developer');
    checkParts(content, place, `${path}content`);
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output') checkParts(output, place, `${path}output`);
}

function checkParts(content: unknown, place: Place, path: string): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw malformationError(place, path, 'is neither a string nor an array of parts');
  content.forEach((part: unknown, at) => {
    checkRecord(part, place, `${path}[${at}]`);
    checkTexts(part, ['type'], place, `${path}[${at}].`);
    if (String(part.type).endsWith('_text')) checkTexts(part, ['text'], place, `${path}[${at}].`);
  });
}
