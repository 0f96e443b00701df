"""The script that draws: cut down to our traces, and whole in what is left."""

import re

import pytest

from config import plotly_asset
from config.plotly_cut import UnableToCut, cut_script

MADE = (
    'head();var a1=W((e,t)=>{t.exports=1});var b2=W(e=>{e.x=a1()});var c3=W((e,t)=>{t.exports={moduleType:"trace",'
    'name:"bar",x:b2()}});var d4={};Fp(d4,{default:()=>1});var u5,e5=Ea(()=>{u5=1});var f6=W((e,t)=>{t.exports={'
    'moduleType:"trace",name:"pie",x:(e5(),d4)}});var g7=W((e,t)=>{t.exports=c3()});var h8=W((e,t)=>{'
    "R.register([g7(),f6()]);t.exports=R});return h8();"
)


def test_modules_that_nothing_left_calls_are_taken_out_and_all_others_stay_in_their_order() -> None:
    assert re.findall(r"(\w+)=W\(", cut_script(MADE, ["bar"])) == ["a1", "b2", "c3", "g7", "h8"]
    assert "register([g7()])" in cut_script(MADE, ["bar"])
    pie = cut_script(MADE, ["pie"])
    assert "Fp(d4" in pie
    assert "g7=W(" not in pie


def test_a_script_that_is_built_otherwise_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnableToCut, match="has no trace globe"):
        cut_script(MADE, ["globe"])
    with pytest.raises(UnableToCut, match="holds no modules"):
        cut_script("alert(1)", ["bar"])


def test_the_plotly_that_is_installed_is_cut_to_a_third_and_keeps_its_licence() -> None:
    whole, cut = (folder / plotly_asset.FILE for folder in (plotly_asset.WHOLE, plotly_asset.folder()))
    script = cut.read_text()
    assert len(script) < whole.stat().st_size / 3
    assert "Licensed under the MIT license" in script[:300]
    assert script.endswith(whole.read_text()[-200:])
