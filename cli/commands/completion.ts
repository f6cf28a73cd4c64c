import { Argument, Command } from 'commander';
import type { Terminal } from '../output/terminal.ts';

/** A place in the tree of commands and what may follow there. */
interface Place {
  /** `/users/create`; the root is "". */
  path: string;
  commands: { name: string; about: string }[];
  options: { name: string; about: string; takesValue: boolean }[];
}

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function completionCommand(program: Command, terminal: Terminal): Command {
  return new Command('completion')
    .summary('Print a completion script for your shell')
    .description(
      'Print a completion script for your shell.\n\n' +
        '  bash  source <(chatctl completion bash)\n' +
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
        '  zsh   chatctl completion zsh > "${fpath[1]}/_chatctl"\n' +
        '  fish  chatctl completion fish > ~/.config/fish/completions/chatctl.fish',
    )
    .addArgument(new Argument('<shell>', 'whose script to print').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS) => terminal.out(SHELLS[shell](placesOf(program))));
}

function placesOf(command: Command, path = ''): Place[] {
  const help = command.createHelp();
  const place: Place = {
    path,
    commands: help.visibleCommands(command).flatMap((child) => {
      const about = child.summary() || firstLine(child.description());
      return wordsOf(child).map((name) => ({ name, about }));
    }),
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description, required }) =>
        long ? [{ name: long, about: firstLine(description), takesValue: required }] : [],
      ),
  };
  const below = (child: Command) => wordsOf(child).flatMap((word) => placesOf(child, `${path}/${word}`));
  return [place, ...command.commands.flatMap(below)];
}

const wordsOf = (command: Command) => [command.name(), ...command.aliases()];

const firstLine = (text: string) => (text.split('\n')[0] as string).replace(/\.$/, '');
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bashScript(places: readonly Place[]): string {
  return `# bash completion for chatctl
_chatctl() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path= words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path/$word" in
      ${paths(places)}) path="$path/$word" ;;
    esac
  done
  case "$path" in
${places.map(({ path, commands, options }) => `    ${quoted(path)}) words=${quoted([...commands, ...options].map(({ name }) => name).join(' '))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _chatctl chatctl`;
}

function zshScript(places: readonly Place[]): string {
  const described = (each: { name: string; about: string }) =>
    quoted(`${each.name}:${each.about.replaceAll(':', '\\:')}`);
  return `#compdef chatctl
_chatctl() {
  local chat_path= word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$chat_path/$word" in
      ${paths(places)}) chat_path="$chat_path/$word" ;;
    esac
  done
  case "$chat_path" in
${places
  .map(
    ({ path, commands, options }) =>
      `    ${quoted(path)}) commands=(${commands.map(described).join(' ')}); options=(${options.map(described).join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( \${#commands} )); then _describe command commands
  else _files; fi
}
if [ "$funcstack[1]" = _chatctl ]; then _chatctl; else compdef _chatctl chatctl; fi`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options }) => {
    const here = `complete -c chatctl -n '__chatctl_at ${path || '/'}'`;
    return [
      ...commands.map(({ name, about }) => `${here} -f -a ${name} -d ${fishQuoted(about)}`),
      ...options.map(
        ({ name, about, takesValue }) =>
          `${here} -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${fishQuoted(about)}`,
      ),
    ];
  });
  return `# fish completion for chatctl
function __chatctl_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch $path/$word
      case ${paths(places).split('|').join(' ')}
        set path $path/$word
    end
  end
  test "$path" = (string trim -r -c / -- $argv[1])
end
${lines.join('\n')}`;
}

const fishQuoted = (text: string) => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

const paths = (places: readonly Place[]) => places.flatMap(({ path }) => path || []).join('|');
