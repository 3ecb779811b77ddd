/** Verbs in the names of tools that change something outside of the conversation, such as `book_reservation`. */
const acting: ReadonlySet<string> = new Set(
  [
    'accept add apply approve archive assign block book buy cancel claim close comment commit complete confirm create',
    'deactivate delete deploy disable edit enable finish insert install invite merge move pay pin post publish purchase',
    'push refund register reject release remove rename reopen reply reserve resolve restart restore revoke save schedule',
    'send set share submit sync transfer trigger uninstall unlock update upgrade upload write',
  ].flatMap((verbs) => verbs.split(' ')),
);
/** Words in the names of tools that only look something up or keep notes. */
const harmless: ReadonlySet<string> = new Set(
  'calculate check describe fetch find get list lookup plan preview query read search show task tasks think todo todos view'.split(
    ' ',
  ),
);

/**
 * True if a tool's own name in snake case says that it changes something outside of the conversation: `issue_close`,
 * `send_mail`. Such a call must not be repeated. False for
 * tools of todo lists, and for names without such a verb.
 */
export function isActingTool(tool: string): boolean {
  const words = tool.split('_');
  return words.some((word) => acting.has(word)) && !words.some((word) => harmless.has(word));
}
