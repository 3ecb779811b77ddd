import { count, formatCount } from '@palimpsest/command-line/count';
import { wrapText } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import type { Colours } from '@palimpsest/command-line/terminal';
import { type Column, renderTable } from '../printing/columns.ts';
import type { Inspection, LargeMessage, RoleShare, ToolShare } from './inspection.ts';

/** What makes results stale, for one and for several. */
const staleWords = {
  duplicate: ['has the same text as a later result', 'have the same text as a later result'],
  repeated: ['answers a call that the agent made again later', 'answer calls that the agent made again later'],
} as const;

/** Formats an inspection as text for a terminal or log. */
export function inspectionText(inspection: Inspection, top: number, colours: Colours, columns: number | null): string {
  const { id, tokens, messages, overheadTokens, task, violations } = inspection;
  const part = (share: number): string => `${tokens > 0 ? ((share / tokens) * 100).toFixed(1) : '0.0'} %`;
  const table = <Row>(shown: readonly Column<Row>[], rows: readonly Row[]): string =>
    indent(renderTable(shown, rows, columns === null ? null : columns - 2));
  const blocks = [
    `${colours.bold(printable(id, 60))}  ${count(tokens)} tokens in ${formatCount(messages, 'message')}${overheadTokens > 0 ? `, ${count(overheadTokens)} of them for tool schemas` : ''}`,
    table<RoleShare>(
      [
        { heading: 'role', align: 'left', cell: (row) => row.role },
        { heading: 'messages', cell: (row) => count(row.messages) },
        { heading: 'tokens', cell: (row) => count(row.tokens) },
        { heading: 'share', cell: (row) => part(row.tokens) },
      ],
      inspection.byRole,
    ),
  ];
  if (inspection.byTool.length > 0)
    blocks.push(
      table<ToolShare>(
        [
          { heading: 'tool', align: 'left', cell: (row) => printable(row.tool, 40) },
          { heading: 'calls', cell: (row) => count(row.calls) },
          { heading: 'input tokens', cell: (row) => count(row.inputTokens) },
          { heading: 'result tokens', cell: (row) => count(row.resultTokens) },
          { heading: 'share', cell: (row) => part(row.inputTokens + row.resultTokens) },
        ],
        inspection.byTool.slice(0, top),
      ),
    );
  blocks.push(
    table<LargeMessage>(
      [
        { heading: 'message', cell: (row) => String(row.index + 1) },
        {
          heading: 'role',
          align: 'left',
          cell: (row) => (row.tool === null ? row.role : `${row.role} ${printable(row.tool, 30)}`),
        },
        { heading: 'tokens', cell: (row) => count(row.tokens) },
        { heading: 'begins', align: 'left', cell: (row) => printable(row.beginning, 48) },
      ],
      inspection.largest,
    ),
  );
  const stale = inspection.stale.map(
    (found) =>
      `${formatCount(found.results, 'tool result')} (${count(found.tokens)} tokens, ${part(found.tokens)}) ${staleWords[found.kind][found.results === 1 ? 0 : 1]}`,
  );
  const notes = [
    `stale: ${stale.join('; ') || 'nothing'}`,
    `current task: ${task ? `message ${task.from + 1}${task.to - task.from > 1 ? ` to ${task.to}` : ''}, ${formatCount(messages - task.to, 'message')} after it` : 'none'}`,
    ...violations
      .slice(0, 3)
      .map(({ index, rule, reason }) => `a provider would reject message ${index + 1}: ${reason} (${rule})`),
    ...(violations.length > 3 ? [`and ${formatCount(violations.length - 3, 'more violation')}`] : []),
  ];
  const text = columns === null ? notes.join('\n') : wrapText(notes.join('\n'), columns - 2);
  return `${[...blocks, indent(text)].join('\n\n')}\n\n`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
