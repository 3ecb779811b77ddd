import type { ErrorFacts } from './read-error.ts';

const reasoning: RegExp =
  /invalid_encrypted_content|encrypted[ _]content\b[^\n]{0,160}(?:could not be|invalid|not valid|cannot be|failed)|(?:invalid|corrupted|bad|unverifiable)[^.\n]{0,30}(?:thought|thinking|reasoning)[ _]?(?:block |content )?signature|(?:invalid|not valid|mismatch)[^\n]{0,40}signature[^\n]{0,40}thinking|thinking[^\n]{0,60}signature[^\n]{0,40}(?:invalid|not valid|mismatch|failed|verif)|signature: field required|thought[ _]signature (?:is )?(?:not valid|invalid)|thinking\b[^.\n]{0,60}\bblocks?\b[^.\n]{0,80}(?:cannot be modified|must remain)|of type reasoning was provided without|item with id rs_\S{1,80} not found|reasoning item[^.\n]{0,60}(?:not found|without|invalid)/;
/** A refusal with these words is about another field of a message, or about content that is missing. */
const otherField: RegExp = /tool_(?:call|use)_id|\barguments\b|\b(?:name|description)\b|\bempty\b/;
const subject = String.raw`(?:\bcontent\b|\btool\b|\b(?:input_)?messages?[.[]\S{0,60}|\bmessages?\.content\b)`;
const requires = String.raw`\b(?:must|should|has to|have to|needs? to|can only|may only|only|expect(?:s|ed)?|requires?|not|is no)\b`;
const plain = String.raw`\b(?:strings?|str|plain text|text only|only text|text(?=[.,;]|$| (?:but|instead)))\b(?! (?:with|of|no|that|at|up|shorter|longer)\b)`;
const list = String.raw`\b(?:list|array|sequence|slice|parts)\b`;

/** Sentences that say content must be a text, but is a list of parts or an image. */
const toolContent: readonly RegExp[] = [
  // "tool content must be a string", "messages[3].content: value must be a string", "tool messages only support string content"
  new RegExp(String.raw`${subject}[^.\n]{0,80}?${requires}[^.\n]{0,40}?${plain}`),
  // "expected string for tool message content, received array", "cannot unmarshal array into ... messages.content of type string"
  /(?:expected|requires|needs) (?:a |an )?(?:valid )?(?:string|str)\b[^.\n]{0,60}?\bcontent\b/,
  new RegExp(String.raw`unmarshal ${list} into\b[^\n]{0,120}?\bcontent\b[^\n]{0,40}? of type string`),
  // "expected a string, got an array", "invalid type: sequence, expected a string", "list is not supported as tool content"
  new RegExp(
    String.raw`expected (?:a )?(?:string|str),? (?:but )?(?:got|received|found) (?:a |an )?${list}|invalid type: sequence, expected a string|${list} (?:content )?(?:is|are) not (?:supported|allowed|accepted)[^.\n]{0,40}?\b(?:tool|content)\b|\b(?:tool|content)\b[^.\n]{0,40}?\b(?:cannot|must not|may not|can not) be (?:a |an )?${list}`,
  ),
  // Pydantic, where the field is in a separate place or left out.
  /input should be a valid string|str type expected/,
  // Xiaomi MiMo
  /text is not set/,
  // Images in the result of a tool.
  /image urls are only allowed for messages with role user|unknown variant image_url, expected text|role tool[^.\n]{0,60}(?:does not support|contains an image|only (?:supports )?text)|only text tool_result blocks/,
];
const noModel: RegExp =
  /model[_ ]not[_ ](?:found|available|supported)|unknown model|no such model|invalid model\b|(?:not a |is not a )valid model|model .{0,100}(?:does not exist|not found|is not supported|is not available)|deployment.{0,40}not found/;

/** The part of a request that a provider does not accept; `null` when the error is about something else. */
export function subjectIn({ status, text, codes }: ErrorFacts): 'reasoning' | 'tool-content' | 'model' | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (reasoning.test(words)) return 'reasoning';
  if (isToolContent(text)) return 'tool-content';
  return status === 404 || noModel.test(words) ? 'model' : null;
}

function isToolContent(text: string): boolean {
  return text.split('\n').some((line) => !otherField.test(line) && toolContent.some((pattern) => pattern.test(line)));
}
