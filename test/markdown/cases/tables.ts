import type { Case } from './case.ts';

export const TABLES_CASES: readonly Case[] = [
  {
    name: 'two columns',
    input: 'a | b\n--|--\n1 | 2',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'with borders',
    input: '| a | b |\n|---|---|\n| 1 | 2 |',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'aligned',
    input: '| l | c | r |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
    html: '<table>\n<thead>\n<tr>\n<th style="text-align: left;">l</th>\n<th style="text-align: center;">c</th>\n<th style="text-align: right;">r</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;">1</td>\n<td style="text-align: center;">2</td>\n<td style="text-align: right;">3</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'markup in cells',
    input: 'a | b\n--|--\n**x** | `y`',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><strong>x</strong></td>\n<td><code>y</code></td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'missing cells are empty',
    input: 'a | b\n--|--\n1',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td></td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'extra cells are dropped',
    input: 'a | b\n--|--\n1 | 2 | 3',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'without rows',
    input: '| a |\n|---|',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td></td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'a table only after an empty line',
    input: 'text\na | b\n--|--',
    html: '<p>text<br>\na | b<br>\n--|--</p>',
  },
  {
    name: 'a table ends at an empty line',
    input: 'a | b\n--|--\n1 | 2\n\nafter',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>\n<p>after</p>',
  },
  {
    name: 'a table of one column needs borders',
    input: 'a\n--\n1',
    html: '<p>a<br>\n--<br>\n1</p>',
  },
  {
    name: 'cells create no HTML',
    input: '| <i> |\n|---|\n| <script> |',
    html: '<table>\n<thead>\n<tr>\n<th>&lt;i&gt;</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&lt;script&gt;</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: a bar in code does not end the cell',
    input: 'a | b\n--|--\n`du | sort` | list',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>du | sort</code></td>\n<td>list</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: two bars in code',
    input: 'a | b\n--|--\n`a || b` | or',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>a || b</code></td>\n<td>or</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: a bar in code of two backticks',
    input: 'a | b\n--|--\n``a | b`` | x',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>a | b</code></td>\n<td>x</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: a bar after a single backtick ends the cell',
    input: 'a | b\n--|--\nit` | x',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>it`</td>\n<td>x</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: a bar after an escaped backtick ends the cell',
    input: 'a | b\n--|--\n\\`x | y`',
    html: '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>\\`x</td>\n<td>y`</td>\n</tr>\n</tbody>\n</table>',
  },
  {
    name: 'D8: code in the header',
    input: '`a | b` | c\n--|--\n1 | 2',
    html: '<table>\n<thead>\n<tr>\n<th><code>a | b</code></th>\n<th>c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
  },
];
