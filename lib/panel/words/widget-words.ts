/** The texts of polls and to-do lists, in English. */
import { withWords } from '../context.ts';
import { counted } from './conversation-words.ts';

export const WIDGET_WORDS = {
  poll: 'Poll',
  toDoList: 'To-do list',
  votes: (count: number) => counted(count, 'vote', 'votes'),
  votesBy: (names: string) => `Votes of ${names}`,
  newOption: 'New option',
  addOption: 'Add option',
  newTask: 'New task',
  addTask: 'Add task',
  changeTitle: 'Change the title',
  saveTitle: 'Save',
};

export const useWidgetWords = withWords(WIDGET_WORDS);
