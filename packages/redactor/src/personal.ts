import { isDigit, isWord } from './characters.ts';
import { defineRule, type Rule } from './user-rule.ts';

/** Digits of an international number by E.164, at most; fewer than 10 are more often counts (`+12345678 added`). */
const MOST_DIGITS = 15;
const LEAST_DIGITS = 10;

function phoneNumberAt(text: string, at: number): { start: number; end: number } | null {
  if (isWord(text.charCodeAt(at - 1)) || text[at + 1] === '0') return null;
  let [index, digits] = [at + 1, 0];
  let end = index;
  for (; index - at < 24; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits += 1;
      end = index + 1;
    } else if (!(digits > 0 && ' -.()'.includes(text[index] ?? '\n'))) break;
  }
  // Number and word run together (`+1234567890abc`): an identifier.
  if (digits < LEAST_DIGITS || digits > MOST_DIGITS || isWord(text.charCodeAt(end))) return null;
  return { start: at, end };
}

/** Optional rule: phone numbers in international form (`+`, 10 to 15 digits, perhaps with spaces or dashes). */
export const phoneNumbers: Rule = /* @__PURE__ */ defineRule({
  name: 'phone-number',
  keywords: Array.from({ length: 9 }, (_, digit) => `+${digit + 1}`),
  scan: phoneNumberAt,
  mask: '[PHONE]',
});

/** Optional rule: Discord mentions of users, roles and channels, `<@123...>`, `<@&123...>`, `<#123...>`. */
export const discordMentions: Rule = /* @__PURE__ */ defineRule({
  name: 'discord-mention',
  keywords: ['<@', '<#'],
  pattern: /<(?:@[!&]?|#)(?<secret>\d{17,20})>/,
  mask: '***',
});
