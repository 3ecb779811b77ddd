import { defineRule, type Rule } from './rules/user-rule.ts';
import { isWord } from './scan/characters.ts';
import { startsAt } from './scan/sticky.ts';

/** 10 to 15 digits. E.164 allows at most 15; fewer than 10 are more often counts (`+12345678 added`). */
const phoneNumber = /\+[1-9](?:[ .()-]{0,2}\d){9,14}(?!\w)/y;

/** Optional rule: phone numbers in international form (`+`, 10 to 15 digits, perhaps with spaces or dashes). */
export const phoneNumbers: Rule = /* @__PURE__ */ defineRule({
  name: 'phone-number',
  keywords: Array.from({ length: 9 }, (_, digit) => `+${digit + 1}`),
  scan: (text, at) =>
    !isWord(text.charCodeAt(at - 1)) && startsAt(phoneNumber, text, at)
      ? { start: at, end: phoneNumber.lastIndex }
      : null,
  mask: '[PHONE]',
});

/** Optional rule: Discord mentions of users, roles and channels, `<@123...>`, `<@&123...>`, `<#123...>`. */
export const discordMentions: Rule = /* @__PURE__ */ defineRule({
  name: 'discord-mention',
  keywords: ['<@', '<#'],
  pattern: /<(?:@[!&]?|#)(?<secret>\d{17,20})>/,
  mask: '***',
});
