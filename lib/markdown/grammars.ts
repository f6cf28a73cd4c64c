import type { LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import delphi from 'highlight.js/lib/languages/delphi';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import elm from 'highlight.js/lib/languages/elm';
import erlang from 'highlight.js/lib/languages/erlang';
import fortran from 'highlight.js/lib/languages/fortran';
import fsharp from 'highlight.js/lib/languages/fsharp';
import go from 'highlight.js/lib/languages/go';
import gradle from 'highlight.js/lib/languages/gradle';
import graphql from 'highlight.js/lib/languages/graphql';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import julia from 'highlight.js/lib/languages/julia';
import kotlin from 'highlight.js/lib/languages/kotlin';
import latex from 'highlight.js/lib/languages/latex';
import less from 'highlight.js/lib/languages/less';
import lisp from 'highlight.js/lib/languages/lisp';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import matlab from 'highlight.js/lib/languages/matlab';
import nginx from 'highlight.js/lib/languages/nginx';
import nix from 'highlight.js/lib/languages/nix';
import objectivec from 'highlight.js/lib/languages/objectivec';
import ocaml from 'highlight.js/lib/languages/ocaml';
import perl from 'highlight.js/lib/languages/perl';
import pgsql from 'highlight.js/lib/languages/pgsql';
import php from 'highlight.js/lib/languages/php';
import phpTemplate from 'highlight.js/lib/languages/php-template';
import powershell from 'highlight.js/lib/languages/powershell';
import prolog from 'highlight.js/lib/languages/prolog';
import properties from 'highlight.js/lib/languages/properties';
import protobuf from 'highlight.js/lib/languages/protobuf';
import puppet from 'highlight.js/lib/languages/puppet';
import python from 'highlight.js/lib/languages/python';
import pythonRepl from 'highlight.js/lib/languages/python-repl';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import scheme from 'highlight.js/lib/languages/scheme';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import tcl from 'highlight.js/lib/languages/tcl';
import typescript from 'highlight.js/lib/languages/typescript';
import vbnet from 'highlight.js/lib/languages/vbnet';
import verilog from 'highlight.js/lib/languages/verilog';
import vhdl from 'highlight.js/lib/languages/vhdl';
import vim from 'highlight.js/lib/languages/vim';
import x86asm from 'highlight.js/lib/languages/x86asm';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** The languages of highlight.js that people write in chat; all of them would be two hundred. */
interface Grammar {
  /** The grammar's own name in highlight.js first, then those Pygments knows the language by. */
  names: readonly string[];
  read: LanguageFn;
  /** Grammars it hands parts of the code to. */
  embeds?: readonly string[];
}

export const GRAMMARS: readonly Grammar[] = [
  { names: ['bash', 'sh', 'zsh', 'shell', 'ksh'], read: bash },
  { names: ['c', 'h'], read: c },
  { names: ['cpp', 'c++', 'cc', 'hpp'], read: cpp },
  { names: ['csharp', 'c#', 'cs'], read: csharp },
  { names: ['clojure', 'clj'], read: clojure },
  { names: ['cmake'], read: cmake },
  { names: ['css'], read: css },
  { names: ['dart'], read: dart },
  { names: ['delphi', 'pas', 'pascal', 'objectpascal'], read: delphi },
  { names: ['diff', 'udiff', 'patch'], read: diff },
  { names: ['dockerfile', 'docker'], read: dockerfile, embeds: ['bash'] },
  { names: ['elixir', 'ex', 'exs'], read: elixir },
  { names: ['elm'], read: elm },
  { names: ['erlang'], read: erlang },
  { names: ['fsharp', 'f#'], read: fsharp },
  { names: ['fortran', 'f90'], read: fortran },
  { names: ['go', 'golang'], read: go },
  { names: ['gradle'], read: gradle },
  { names: ['graphql'], read: graphql },
  { names: ['groovy'], read: groovy },
  { names: ['haskell', 'hs'], read: haskell },
  { names: ['http'], read: http },
  { names: ['ini', 'cfg', 'dosini', 'toml'], read: ini },
  { names: ['java'], read: java },
  { names: ['javascript', 'js', 'jsx', 'mjs', 'node'], read: javascript, embeds: ['css', 'xml'] },
  { names: ['json', 'json5', 'jsonc'], read: json },
  { names: ['julia', 'jl'], read: julia },
  { names: ['kotlin', 'kt'], read: kotlin },
  { names: ['latex', 'tex'], read: latex },
  { names: ['less'], read: less },
  { names: ['lisp', 'common-lisp', 'cl', 'elisp', 'emacs', 'emacs-lisp'], read: lisp },
  { names: ['lua'], read: lua },
  { names: ['makefile', 'make', 'mf', 'bsdmake'], read: makefile },
  { names: ['matlab', 'octave'], read: matlab },
  { names: ['nginx', 'nginxconf'], read: nginx },
  { names: ['nix', 'nixos'], read: nix },
  { names: ['objectivec', 'objective-c', 'obj-c', 'objc'], read: objectivec },
  { names: ['ocaml'], read: ocaml },
  { names: ['perl', 'pl'], read: perl },
  { names: ['php', 'php3', 'php4', 'php5', 'css+php', 'js+php', 'javascript+php'], read: php },
  { names: ['php-template', 'html+php', 'xml+php'], read: phpTemplate, embeds: ['php', 'xml', 'css', 'javascript'] },
  { names: ['powershell', 'posh', 'ps1', 'psm1', 'pwsh'], read: powershell },
  { names: ['prolog'], read: prolog },
  { names: ['properties', 'jproperties'], read: properties },
  { names: ['protobuf', 'proto'], read: protobuf },
  { names: ['puppet'], read: puppet },
  { names: ['python', 'py', 'py3', 'python3', 'py2', 'python2', 'sage'], read: python },
  { names: ['python-repl', 'pycon'], read: pythonRepl, embeds: ['python'] },
  { names: ['r', 's', 'splus'], read: r },
  { names: ['ruby', 'rb'], read: ruby },
  { names: ['rust', 'rs'], read: rust },
  { names: ['scala'], read: scala },
  { names: ['scheme', 'scm', 'racket', 'rkt'], read: scheme },
  { names: ['scss', 'sass'], read: scss },
  { names: ['shell-session', 'console'], read: shell, embeds: ['bash'] },
  { names: ['sql', 'mysql', 'sqlite', 'sqlite3'], read: sql },
  { names: ['pgsql', 'postgres', 'postgresql', 'plpgsql'], read: pgsql },
  { names: ['swift'], read: swift },
  { names: ['tcl'], read: tcl },
  { names: ['typescript', 'ts', 'tsx'], read: typescript, embeds: ['css', 'xml'] },
  { names: ['vbnet', 'vb.net'], read: vbnet },
  { names: ['verilog', 'v', 'systemverilog', 'sv'], read: verilog },
  { names: ['vhdl'], read: vhdl },
  { names: ['vim'], read: vim },
  { names: ['x86asm', 'asm', 'nasm'], read: x86asm },
  { names: ['xml', 'html', 'svg', 'xhtml', 'xslt'], read: xml, embeds: ['css', 'javascript'] },
  { names: ['yaml', 'yml'], read: yaml, embeds: ['ruby'] },
];
