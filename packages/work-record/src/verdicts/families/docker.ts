import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const docker: ToolFamily = {
  commands: [
    {
      programs: ['docker', 'podman', 'docker-compose'],
      subcommands: [
        'build',
        'buildx build',
        'push',
        'pull',
        'run',
        'compose up',
        'compose build',
        'compose down',
        'compose pull',
        'compose restart',
        'up',
        'down',
      ],
      valued: ['-f', '--file', '-p', '--project-name', '--env-file', '--profile', '-H', '--context'],
    },
  ],
  verdicts: [
    failed(
      /^(?:ERROR: failed to (?:solve|build)|failed to solve: |Error response from daemon|Error: No such |Cannot connect to the Docker daemon|docker: (?!Using)|error during connect)/,
    ),
    failed(/^ERROR: /),
    failed(/^The command .{1,300} returned a non-zero code: /),
    passed(
      /^(?:Successfully (?:built|tagged) |#\d+ naming to .{1,300} done|#\d+ DONE|\S*: digest: sha256:|Status: (?:Downloaded|Image is up to date))/,
    ),
    passed(/^(?:✔ )?Container \S+\s+(?:Started|Running|Healthy|Removed)/),
  ],
  failing: [/^> (?<name>\[[^\]]{1,80}\] .{1,150}):$/],
  silent: true,
};
