import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const kubectl: ToolFamily = {
  commands: [
    {
      programs: ['kubectl', 'oc', 'k'],
      subcommands: ['apply', 'create', 'delete', 'rollout status', 'rollout restart', 'wait', 'patch', 'scale'],
      valued: ['-n', '--namespace', '--context', '--kubeconfig'],
    },
    { programs: ['helm'], subcommands: ['install', 'upgrade', 'uninstall', 'lint'], valued: ['-n', '--namespace'] },
  ],
  verdicts: [
    failed(/^(?:Error from server|error: |Error: |The connection to the server|Unable to connect to the server)/),
    passed(
      /^(?:deployment "[^"]{1,200}" successfully rolled out|STATUS: deployed|Release "[^"]{1,100}" has been upgraded)/,
    ),
    passed(/^\S{1,250} (?:created|configured|unchanged|deleted|patched|scaled|restarted|condition met)$/),
  ],
};
