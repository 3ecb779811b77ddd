// Writes changelogs for their readers: what changed, without hashes of commits. All packages share one version, so which
// of them depend on each other's new versions tells nothing. A changeset that is a list stays one list.
module.exports = {
  getReleaseLine: async ({ summary }) => {
    const text = summary.trim();
    if (text.startsWith('- ')) return text;
    return `- ${text.replaceAll('\n', '\n  ').replaceAll(/^ +$/gm, '')}`;
  },
  getDependencyReleaseLine: async () => '',
};
