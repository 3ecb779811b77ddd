import { describe, expect, it } from 'vitest';
import { isActingTool, readToolName, toolClass } from '../src/index.ts';

describe('a tool', () => {
  it.each([
    [
      'command',
      ['bash', 'Bash', 'run_terminal_cmd', 'execute_bash', 'container.exec', 'unified_exec', 'shell_command'],
    ],
    ['read', ['Read', 'read_file', 'mcp__files__read_multiple_files', 'cat', 'goto']],
    [
      'write',
      [
        'Write',
        'MultiEdit',
        'apply_patch',
        'apply_diff',
        'functions.edit',
        'save_file',
        'undo_edit',
        'edit_file_content',
      ],
    ],
    ['several', ['str_replace_editor', 'str_replace_based_edit_tool', 'file_editor', 'text_editor_20250728']],
    ['search', ['Grep', 'list_directory', 'codebase_search', 'find_symbol']],
    ['browse', ['browser_click', 'take_screenshot']],
    ['fetch', ['WebFetch', 'web_search', 'tavily_search', 'internet_search']],
    ['delegate', ['Task', 'spawn_agent', 'perform_task']],
    ['ask', ['AskUserQuestion', 'clarify']],
    ['generic', ['get_weather', 'mcp__linear__create_issue', 'update_plan', '']],
  ])('of class %s is known by its name, however agents spell it', (kind, names) => {
    expect(names.map((name) => [name, toolClass(readToolName(name).tool)])).toEqual(names.map((name) => [name, kind]));
  });

  it('is classified without its server and namespace', () => {
    expect(readToolName('mcp__files__readFile')).toEqual({
      called: 'mcp__files__readFile',
      tool: 'read_file',
      server: 'mcp__files__',
    });
    expect(readToolName('functions.MultiEdit').tool).toBe('multi_edit');
  });
});

it.each([
  ['book_reservation', true],
  ['issue_close', true],
  ['send_message', true],
  ['add_compromised_account', true],
  ['get_update_status', false],
  ['issue_get', false],
  ['update_plan', false],
  ['task_create', false],
  ['calculate', false],
  ['', false],
])('%s is a tool that acts: %s', (tool, acts) => {
  expect(isActingTool(tool)).toBe(acts);
});
