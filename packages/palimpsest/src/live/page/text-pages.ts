import { count, formatCount } from '@palimpsest/command-line/count';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import { escapeHtml } from '@palimpsest/eval/page/escape';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { HandoffLine, InspectedMessage, Inspection } from '@palimpsest/session';
import { outcomeWords } from '../../strips/strip-blocks.ts';
import { reasonWords } from '../reason-words.ts';
import { frame } from './frame.ts';

/** Maximum length of a text in characters: a browser has to show it. */
const maxLength = 200_000;

/** The conversation that a page is about. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

/** A message: its original, what replaced it, and the lines of the handoff that come from it. */
export function messagePage(conversation: Named, message: InspectedMessage, messages: number): string {
  const { after, before, handoff, index, lines, outcome, reasons, role } = message;
  const why = reasons.map(({ note, code }) => reasonWords(note ?? code)).join(', ');
  const replaced =
    outcome === 'kept'
      ? '<p>The model sees it as it is.</p>'
      : after !== null
        ? `<h2>What the model sees of it</h2>${textBlock(after)}`
        : `<p>The model does not see it${handoff === null ? '' : '; <a href="../handoff">the handoff</a> stands in its place'}.</p>`;
  const quoted =
    lines.length === 0
      ? ''
      : `<h2>${formatCount(lines.length, 'line')} of the handoff that ${lines.length === 1 ? 'comes' : 'come'} from it</h2>${textBlock(lines.map(({ text }) => text).join('\n'))}`;
  return textPage(
    conversation,
    `Message ${index + 1} of ${count(messages)}: ${role}`,
    `<p class="verdict">${shareableText(`${why === '' ? outcomeWords[outcome] : why}`)}</p>
<p>${index > 0 ? `<a href="${index - 1}">Previous</a> ` : ''}${index + 1 < messages ? `<a href="${index + 1}">Next</a>` : ''}</p>
<h2>The original</h2>${textBlock(before)}${replaced}${quoted}`,
  );
}

/** The handoffs of a request: the page that the model wrote, beside what rules added. */
export function handoffPage(conversation: Named, { handoffs }: Inspection, isByModel: boolean): string {
  const shown = handoffs.map(({ lines, replaces }) => {
    const authored = authors(lines, isByModel);
    const column = (author: Author, title: string, none: string): string => {
      const own = authored.filter((one) => one.author === author);
      const body =
        own.length === 0
          ? `<p>${none}</p>`
          : `<pre tabindex="0">${own.map((one) => lineText(one.line, author)).join('\n')}</pre>`;
      return `<div><h2>${title}</h2>${body}</div>`;
    };
    return `<p>It stands in place of messages ${count(replaces.from + 1)} to ${count(replaces.to)}.</p>
<div class="columns">${column('model', 'What the model wrote', isByModel ? 'Nothing.' : 'Nothing: rules wrote this handoff.')}${column('rules', 'What rules added', 'Nothing.')}</div>`;
  });
  const none = '<p class="verdict">There is no handoff: the model gets the whole history.</p>';
  return textPage(conversation, 'The handoff', shown.length === 0 ? none : shown.join('\n'));
}

/** What a search found. */
export function searchPage(conversation: Named, query: string, found: string): string {
  return textPage(conversation, `Search for \u201c${query}\u201d`, textBlock(found));
}

/** Answers a link to something that is gone. */
export const notFoundPage: string = frame(
  'Not found',
  '<p class="verdict">There is no such page, or the conversation is no longer in memory. <a href="/">All conversations</a></p>',
  false,
);

type Author = 'model' | 'rules';

/** Marks the words of a model in a section that rules began. */
const pageMark = "In the summary's words:";

interface AuthoredLine {
  readonly line: HandoffLine;
  readonly author: Author;
}

/** Shows who wrote each line. Lines by rules have sources; a line by a model is about everything. */
function authors(lines: readonly HandoffLine[], isByModel: boolean): readonly AuthoredLine[] {
  const titles = [...new Set(lines.map(({ section }) => section))];
  return titles.flatMap((title) => {
    const section = lines.filter((line) => line.section === title);
    const mark = section.findIndex(({ text }) => text === pageMark);
    const isOfRules = !isByModel || (mark < 0 && section.some(({ from }) => from !== null));
    return section.flatMap((line, at): readonly AuthoredLine[] => {
      // The heading belongs to both parts.
      if (at === mark) return [{ line: section[0]!, author: 'model' }];
      if (at === 0 && mark === 1) return [];
      return [{ line, author: isOfRules || at < mark ? 'rules' : 'model' }];
    });
  });
}

/** A line, with links to the messages that it comes from. */
function lineText({ text, from }: HandoffLine, author: Author): string {
  const links = (author === 'rules' ? (from ?? []) : []).map((at) => `<a href="messages/${at}">${at + 1}</a>`);
  return `${shareableText(text)}${links.length > 0 ? ` <span class="soft">\u2190 ${links.join(', ')}</span>` : ''}`;
}

/** Text of a conversation, masked before it is cut. */
function textBlock(text: string): string {
  const masked = redactText(text);
  const rest = masked.length - maxLength;
  const shown = rest > 0 ? `${masked.slice(0, maxLength)}\n[${count(rest)} characters are not shown]` : masked;
  return `<pre tabindex="0">${escapeHtml(shown)}</pre>`;
}

function textPage({ id, title }: Named, heading: string, content: string): string {
  const nav = `<nav><a href="/">All conversations</a> \u203a <a href="/live/${id}">${shareableText(title)}</a></nav>`;
  return frame(shareableTitle(heading), `${nav}\n${content}`, false);
}

/** `frame` escapes it. */
function shareableTitle(text: string): string {
  return redactText(text);
}
