import type { AgentProfile } from '../agent-profile.ts';

export const sweAgent: AgentProfile = {
  name: 'SWE-agent',
  openings: [
    /OBSERVATION\b[^\n]{0,40}:/,
    // Whole phrases only, because people write "Your code has a bug".
    /Your (?:command ran successfully|command has been executed|submission was (?:in)?correct|proposed edit has introduced|(?:proposed )?edit was not applied)/,
  ],
  tools: {
    command: ['bash'],
    read: ['open', 'goto', 'scroll_up', 'scroll_down'],
    write: ['edit', 'create', 'insert'],
    several: ['str_replace_editor'],
    search: ['search_dir', 'search_file', 'find_file'],
  },
  // The editor changes the file that was opened or created last.
  fileTools: { open: ['open'] },
  textCalls: {
    fences: [''],
    functionTags: true,
    // The second is the shell prompt.
    results: [/^(?:OBSERVATION:|Your command ran successfully)/, /\nbash-\$\s*$/],
    commands: {
      open: 'path',
      create: 'path',
      edit: 'content',
      find_file: 'query',
      search_dir: 'query',
      search_file: 'query',
    },
  },
  results: {
    errors: [/Your (?:proposed edit has introduced|(?:proposed )?edit was not applied)/],
    heads: [{ edge: 'O', needs: 'BSERVATION:', shape: /^OBSERVATION:\n/ }],
    // The shell prompt, with the open file and its folder above it.
    tails: [{ edge: '$', needs: 'bash-$', shape: /(?:\n\([A-Z][^\n]{0,300}\)){0,3}\nbash-\$\s*$/ }],
  },
};
