import type { ErrorFacts } from './read-error.ts';

const reasoning: RegExp =
  /invalid_encrypted_content|encrypted[ _]content\b[^\n]{0,160}(?:could not be|invalid|not valid|cannot be|failed)|(?:invalid|corrupted|bad|unverifiable)[^.\n]{0,30}(?:thought|thinking|reasoning)[ _]?(?:block |content )?signature|(?:invalid|not valid|mismatch)[^\n]{0,40}signature[^\n]{0,40}thinking|thinking[^\n]{0,60}signature[^\n]{0,40}(?:invalid|not valid|mismatch|failed|verif)|signature: field required|thought[ _]signature (?:is )?(?:not valid|invalid)|thinking\b[^.\n]{0,60}\bblocks?\b[^.\n]{0,80}(?:cannot be modified|must remain)|of type reasoning was provided without|item with id rs_\S{1,80} not found|reasoning item[^.\n]{0,60}(?:not found|without|invalid)/;
const toolContent: RegExp =
  /\btool(?:[_ ](?:message|call|result))?s?[ .]?(?:content )?must be (?:a )?string|\btool\b[^.\n]{0,40}content[^.\n]{0,20}must be (?:a )?string|text is not set|expected (?:a )?string,? (?:but )?(?:got|received|found) (?:a |an )?(?:list|array|sequence)|invalid type: sequence, expected a string|messages[.[]\S{0,60} ?(?:content\S{0,30}|)[: ]{1,3}(?:input should be a valid string|must be a string|str type expected)|input should be a valid string|image urls are only allowed for messages with role user|unknown variant image_url, expected text|role tool[^.\n]{0,60}(?:does not support|contains an image|only (?:supports )?text)/;
const noModel: RegExp =
  /model[_ ]not[_ ](?:found|available|supported)|unknown model|no such model|invalid model\b|(?:not a |is not a )valid model|model .{0,100}(?:does not exist|not found|is not supported|is not available)|deployment.{0,40}not found/;

/** The part of a request that a provider does not accept; `null` when the error is about something else. */
export function subjectIn({ status, text, codes }: ErrorFacts): 'reasoning' | 'tool-content' | 'model' | null {
  const words = `${[...codes].join('\n')}\n${text}`;
  if (reasoning.test(words)) return 'reasoning';
  if (toolContent.test(words)) return 'tool-content';
  return status === 404 || noModel.test(words) ? 'model' : null;
}
