import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import Figure from './Figure.vue';
import FigureTable from './FigureTable.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Figure', Figure);
    app.component('FigureTable', FigureTable);
  },
} satisfies Theme;
