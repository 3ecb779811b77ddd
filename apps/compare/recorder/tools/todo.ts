import { parameters, type Tool } from './tool.ts';

/** One line of the agent's list. */
export interface TodoItem {
  readonly text: string;
  readonly status: 'open' | 'active' | 'done' | 'dropped';
}

/** Arguments of the list tool: always the whole list. */
export interface TodoArguments {
  readonly items: readonly TodoItem[];
}

const MARKS = { open: '[ ]', active: '[>]', done: '[x]', dropped: '[-]' };

/** The agent's own list, which it replaces as a whole and gets back as text. */
export const todo: Tool<TodoArguments> = {
  description: 'Replace your task list. Give all items, with the one you work on marked active.',
  parameters: parameters(
    {
      items: {
        type: 'array',
        items: parameters({ text: { type: 'string' }, status: { enum: ['open', 'active', 'done', 'dropped'] } }, [
          'text',
          'status',
        ]),
      },
    },
    ['items'],
  ),
  async run({ items }) {
    return { text: items.map(({ text, status }) => `${MARKS[status]} ${text}`).join('\n'), ok: true };
  },
};
