import { parameters, type Tool } from './tool.ts';

/** An item of the agent's task list. */
export interface TodoItem {
  readonly text: string;
  readonly status: 'open' | 'active' | 'done' | 'dropped';
}

/** Arguments of the task list tool: always the whole list. */
export interface TodoArguments {
  readonly items: readonly TodoItem[];
}

const MARKS = { open: '[ ]', active: '[>]', done: '[x]', dropped: '[-]' };

/** Replaces the agent's task list as a whole, and returns it as text. */
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
