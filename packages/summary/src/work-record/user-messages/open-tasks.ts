import { wordExpression } from '../text/word-expression.ts';
import type { UserWords } from './user-words.ts';

/** Matches a message made only of thanks, praise and farewells. */
const thanks = wordExpression(
  String.raw`^(?:(?:ok(?:ay)?|great|perfect|awesome|nice|cool|super|wow|yes|alright|excellent|amazing|lovely|wonderful|good|very good|all good|so much|a lot|very much|again|well done|good job|nice work|great work|great job|that works|it works|works|looks good|lgtm|done|bye|goodbye|thanks?(?: you)?|thx|ty|cheers|no|you too|(?:thanks?|thank you|thx) for (?:everything|that|(?:all )?(?:of )?(?:your|the) (?:help|time|assistance|support|patience)(?: today)?)|(?:i )?(?:really )?appreciate (?:it|that|(?:all )?(?:your|the) help)|(?:that|this)(?:['\u2019]?s| is| was| will be) (?:all|it|everything)(?: (?:that )?(?:i|we) (?:need(?:ed)?|want(?:ed)?)(?: help with)?)?(?: (?:for|from) (?:now|today|me|us))?|for (?:now|today)|have a (?:great|good|nice|lovely) (?:day|one|evening|night|weekend)|danke(?: sch(?:\u00f6|oe)n| dir)?|vielen dank|merci(?: beaucoup)?|gracias|muchas gracias|obrigad[oa]|grazie(?: mille)?|tack|dank(?: je| u)?|bedankt|\u0441\u043f\u0430\u0441\u0438\u0431\u043e|\u3042\u308a\u304c\u3068\u3046(?:\u3054\u3056\u3044\u307e\u3059|\u3054\u3056\u3044\u307e\u3057\u305f)?|\u8c22\u8c22|\u8b1d\u8b1d|\uac10\uc0ac(?:\ud569\ub2c8\ub2e4)?)[\s,.!:;)\u3002\uff01\uff0c\u3001\u00a9\u00ae\u2190-\u2bff\ud83c-\ud83e\udc00-\udfff\ufe0f]*)+$`,
);
/** Matches the words of which such a message must contain at least one; "yes" or "ok" alone is an agreement. */
const thankful = wordExpression(
  String.raw`\b(?:thank|thanks|thx|ty|cheers|danke|dank|merci|gracias|obrigad[oa]|grazie|tack|bedankt|bye|goodbye|lgtm|perfect|great|awesome|done|works|excellent|appreciate|that['\u2019]?s (?:all|it))\b|\u0441\u043f\u0430\u0441\u0438\u0431\u043e|\u3042\u308a\u304c\u3068\u3046|\u8c22\u8c22|\u8b1d\u8b1d|\uac10\uc0ac`,
);

/** Matches a message that withdraws the task before it. */
const withdrawal = wordExpression(
  String.raw`^(?:(?:oh|ok(?:ay)?|ah|hm+|no|actually|wait|sorry|well)[\s,.!-]+){0,3}(?:never ?mind|nvm|forget (?:it|that|about it)|scratch that|cancel(?: that| it)?|drop (?:it|that)|ignore (?:that|my last (?:message|request))|(?:it['\u2019]?s )?not worth (?:it|the (?:effort|time|trouble))|don['\u2019]?t bother|stop|vergiss es|egal|schon gut|laisse tomber|oublie|d\u00e9jalo|olv\u00eddalo|n\u00e3o importa|lascia stare|\u043d\u0435 \u043d\u0430\u0434\u043e|\u3084\u3063\u3071\u308a\u3044\u3044|\u5fd8\u308c\u3066|\u7b97\u4e86|\u4e0d\u7528\u4e86)(?:[\s,.!\u2026-]+(?:(?:it|that)['\u2019]?s (?:fine|ok(?:ay)?|good enough)|(?:let['\u2019]?s )?mov(?:e|ing) on))*[\s,.!\u2026\u3002\uff01]*$`,
);

/** Matches a message that only says "yes" or "go on"; the task is in an earlier message. */
const agreement = wordExpression(
  String.raw`^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|please|go ahead|go on|go|do it|do that|continue|proceed|keep going|carry on|next|ja|weiter|bitte|mach das|mach weiter|oui|vas-y|continue[rz]?|s[i\u00ed]|contin\u00faa|sim|\u0434\u0430|\u043f\u0440\u043e\u0434\u043e\u043b\u0436\u0430\u0439|\u306f\u3044|\u304a\u9858\u3044\u3057\u307e\u3059|\u7d9a\u3051\u3066|\u9032\u3081\u3066|\u597d\u7684?|\u662f\u7684?|\u7ee7\u7eed|\ub124|\uacc4\uc18d)[\s,.!\u3002\uff01\u3001]*)+$`,
);

/** Matches a short message that ends with "go on", after a remark: "back online - continue". */
const resumption = wordExpression(
  String.raw`^[^?]{1,60}(?:[,.;:!\u2013\u2014\n-]\s*|\s(?:please|then|now|so)\s+)(?:(?:please|now|then|so|bitte)\s+)?(?:continue|proceed|go (?:on|ahead)|keep going|carry on|resume|weiter|mach weiter|continue[rz]|contin\u00faa|prosegui|\u043f\u0440\u043e\u0434\u043e\u043b\u0436\u0430\u0439|\u7d9a\u3051\u3066|\u7ee7\u7eed)(?: please| bitte)?[\s,.!\u3002\uff01]*$`,
);

/** Maximum length of a message that is not a task, in characters. The patterns above match only short messages. */
const maxReplyLength = 160;

/** What a user message does to the tasks before it. */
export type MessageIntent = 'task' | 'thanks' | 'withdrawal' | 'agreement';

/** Classifies a user message by its words: a task, thanks, a withdrawal or an agreement. */
export function messageIntent(text: string): MessageIntent {
  if (text.length > maxReplyLength && text.trim().length > maxReplyLength) return 'task';
  const words = text.trim().toLowerCase();
  if (withdrawal.test(words)) return 'withdrawal';
  if (agreement.test(words) || resumption.test(words)) return 'agreement';
  if (thankful.test(words) && thanks.test(words)) return 'thanks';
  return 'task';
}

/**
 * Returns the open tasks, oldest first: the newest task and those sent directly before it; for an agreement, also
 * the task it agrees to. Thanks close all earlier tasks. A withdrawal closes the task before it.
 * @param said the words of the user, in order
 */
export function openTasks(said: readonly UserWords[]): UserWords[] {
  const open: UserWords[] = [];
  let withdrawn = false;
  let found = false;
  for (let at = said.length - 1; at >= 0; at--) {
    const intent = messageIntent(said[at]!.text);
    const adjacent = open.length > 0 && said[at]!.index === open.at(-1)!.index - 1;
    if (found && !(adjacent && intent === 'task')) break;
    if (intent === 'thanks') break;
    if (intent === 'withdrawal') {
      if (open.length > 0) break;
      withdrawn = true;
    } else if (intent === 'agreement') {
      if (!withdrawn && open.length === 0) open.push(said[at]!);
    } else if (withdrawn) break;
    else {
      open.push(said[at]!);
      found = true;
    }
  }
  return open.reverse();
}
